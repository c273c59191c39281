// Which rows have the same fingerprint. Stored ones are compared with those of later versions, so their form is fixed.
import type { IDataObject } from 'n8n-workflow';

import { isWriting, type Operation } from '../../../engine/area';
import type { Job } from '../../../engine/kinds/job';
import { changingFields, fingerprintOf } from '../../../engine/once/fingerprint';
import { entries } from '../../contract/tables.cts';
import { jobOf, operationWith } from '../operation.cts';

const single = operationWith({});

/** A job with this body, and the file if there is one. */
const withBody = (body?: IDataObject, file?: Partial<Job['file']>): Job => {
	const job = jobOf(single);
	return { ...job, values: { ...job.values, body }, file } as Job;
};

const digest = (job: Job, parameters: IDataObject = {}, operation: Operation = single, user = '') =>
	fingerprintOf(operation, job, changingFields(parameters), user);

const same = (one: IDataObject, other: IDataObject, parameters?: IDataObject) =>
	digest(withBody(one), parameters) === digest(withBody(other), parameters);

test.each([
	['2026-03-03T12:00:00Z', '2026-03-03T07:00:00-05:00', true],
	['caf\u00e9', 'cafe\u0301', true],
	['2026-03-03', '2026-03-03T00:00:00Z', false],
	['3/3/2026', '2026-03-03T00:00:00Z', false],
	['2026-02-30T00:00:00Z', '2026-03-02T00:00:00Z', false],
	['2026-13-01T00:00:00Z', '2026-14-01T00:00:00Z', false],
	['Unit 1', 'Unit 2001-01-01T00:00:00Z', false],
])('%s and %s: the same is %s', (one, other, expected) => {
	expect(same({ name: one }, { name: other })).toBe(expected);
});

test('the order of columns does not count', () => {
	expect(same({ name: 'A', list: [{ b: 1, a: 2 }] }, { list: [{ a: 2, b: 1 }], name: 'A' })).toBe(
		true,
	);
});

test('of a file, the name and the size count', () => {
	const file = { name: 'a.pdf', size: 7 };
	const ofFile = (change: object) => digest(withBody(undefined, { ...file, ...change }));
	const all = [{}, { size: 8 }, { name: 'b.pdf' }].map(ofFile);
	expect(new Set(all).size).toBe(3);
	expect(ofFile({ type: 'text/plain' })).toBe(all[0]);
});

test('the user counts, trimmed and in any case', () => {
	const job = withBody({ name: 'A' });
	const of = (user: string) => digest(job, {}, single, user);
	expect(of(' Chief ')).toBe(of('chief'));
	expect(of('other')).not.toBe(of('chief'));
});

describe('a field whose expression gives another value in each run does not count', () => {
	const now = '={{ $now }}';
	test.each<[string, IDataObject]>([
		['on the form', { fields: { at: now } }],
		['with a dot in its name', { fields: { dAgency_05: now } }],
		['in an entry of a list', { crews: { entries: [{ at: '={{ Date.now() }}' }] } }],
		['in Other Fields (JSON)', { options: { additionalFields: '={{ { at: new Date() } }}' } }],
		['in one expression for all options', { options: '={{ { additionalFields: { at: $now } } }}' }],
		['by chance', { fields: { at: '={{ Math.random() }}' } }],
	])('%s', (where, parameters) => {
		const record = (at: number): IDataObject => {
			if (where === 'with a dot in its name') return { name: 'A', 'dAgency.05': at };
			return where.includes('list') ? { name: 'A', crews: [{ at }] } : { name: 'A', at };
		};
		const of = (at: number, name = 'A') => {
			const job = withBody({ ...record(at), name });
			job.values.settings.additionalFields = { at };
			return digest(job, parameters);
		};
		expect(of(1)).toBe(of(2));
		expect(of(1)).not.toBe(of(1, 'B'));
	});

	test('and none does where one expression gives all fields, but the path does', () => {
		const of = (name: string, path: string) => {
			const job = withBody({ name });
			job.values.path = { path };
			return digest(
				job,
				{ fields: '={{ { at: $now, name: $json.name } }}' },
				operationWith({ route: 'POST /{+path}' }),
			);
		};
		expect(of('A', 'a')).toBe(of('B', 'a'));
		expect(of('A', 'b')).not.toBe(of('A', 'a'));
	});

	test('and nothing is compared where it gives the whole record', () => {
		expect(digest(withBody({ name: 'A' }), { specifyFields: 'json', json: now })).toBeUndefined();
		expect(digest(withBody({ name: 'A' }), { body: now })).toBeUndefined();
	});

	test.each(['={{ $json.now }}', '={{ new Date($json.at) }}', '={{ DateTime.fromISO($json.at) }}'])(
		'but one that the row brings along does: %s',
		(at) => expect(same({ at: 1 }, { at: 2 }, { fields: { at } })).toBe(false),
	);
});

test('the fingerprint of a row of each operation is as it was published', () => {
	const writes = entries.filter(({ operation }) => isWriting(operation));
	const given = { name: 'Caf\u00e9 1', at: '2026-03-03T07:00:00-05:00', list: [{ b: 1, a: null }] };
	const digests = writes.map(({ operation }) => {
		const { ids = [], body, kind, route } = operation;
		const path = Object.fromEntries(ids.map(({ name }) => [name, 7]));
		const job = withBody(body && given);
		if (kind === 'upload') job.file = { name: 'a.pdf', size: 7 } as Job['file'];
		job.values.path = { path: 'things/7', ...path };
		return `${route}: ${digest(job, {}, operation, 'chief')}`;
	});
	expect(digests).toMatchInlineSnapshot(`
		[
		  "PATCH /agencyapparatusmaintenance/v1/apparatus/maintenance: h1qT6PmIytaOEerXFTa+bUuAQgHlWauvv8WlsDMXglI=",
		  "PATCH /agencyclasses/classes/students: RLgwfpEJjrYwGDxiRTz6EVVmk89yjbqeIZnMKIIJtEg=",
		  "POST /agencydAgency/nemsis_3.4.0_demographics/dAgency/{dAgencyID}/AgencyYearGroups: rfdXbZ+lqc/Oi3EijWAtr2lt3uLS9RvjK95U7nuCCL0=",
		  "POST /agencyevents/events/{eventID}/people: pVU3nPx1WVfSuwtjyB8MZOgQQj9s5mefzlPHTign2FQ=",
		  "POST /agencyexposures/{exposureID}/NASFWildlandFires: 9NWj/eRumKmBXsTKWGguByI8a4+92w9NOwEKvoVt4V8=",
		  "POST /agencyfiles/files: /e0pNQtEPrpqdIjEoMUq9SzUBMXq+fKuQxvMj4yG/Nk=",
		  "DELETE /agencyinspections/inspections/{inspectionID}/answers/{answerID}: Zogvt9PEfsVk1zjoLRGy3Bi1yIljSo1RQ1K6WKr98aA=",
		  "POST /agencylibrary/library/categories: Q5uZFApHbuohlxLmDf3k6f79bzUsIuwgPWX4W0SyTpA=",
		  "PATCH /agencylicenses/licenses: jzmeeAobrlEkmVYogoPLbM5Q2nCLaMUPmTvs0nWzuDY=",
		  "POST /agencymappings/mappings/clients/{clientID}: Vi7pO9Abvio1MfMNzACmloSmsKORGqguYibrLtVS4Ok=",
		  "POST /agencynotifications/notification: dmcaKPkizhRwtEPHZSqTXlvo45bQqbSZWXwPj2NCBew=",
		  "POST /agencyoccupancies/occupancies/inspections/forms: 4uUED3B0eAPH2BTtJIEeuIalYVQYfF9mXdtaTDoF53I=",
		  "POST /agencyshiftschedules/shiftschedules: QHBOAuVZUN698pPtCqQ5vnSITXW5cAX04c+VjLFNEHw=",
		  "POST /agencyusersxor/users/{userID}/losappoints: t1F20ZTf+5+Ia14jCHFaMJSERLsO+3/k79CjEmpweGQ=",
		]
	`);
});
