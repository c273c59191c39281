// Input from outside may be anything: it gives data or a readable error, and nothing else.
import fc from 'fast-check';

import { codeWithState } from '../../engine/auth/signIn';
import { Failure } from '../../engine/failure';
import { dataOf, judgedTry } from '../../engine/response/responseData';
import { apparatusMaintenance } from '../../nodes/AgencyApparatusMaintenance/apparatusMaintenance.area';
import { classes } from '../../nodes/AgencyClasses/classes.area';
import { files } from '../../nodes/AgencyFiles/files.area';
import { licenses } from '../../nodes/AgencyLicenses/licenses.area';
import { shifts } from '../../nodes/AgencyShifts/shifts.area';
import { vendors } from '../../nodes/AgencyVendors/vendors.area';
import { contentOf } from '../unit/operation.cts';

/** An operation of each kind, and both forms of bulk patches. */
const operations = [shifts, files, classes, vendors, licenses, apparatusMaintenance].map(
	({ resources }) => resources[0]!.operations[0]!,
);

const noHint = () => {};

/** JSON of any shape, and of shapes similar to the API spec's. */
const names = [
	...['errors', 'validationErrors', 'permissionErrors', 'field', 'message', 'success'],
	...['vendors', 'Vendors', 'totalRows', 'ok', 'shift', 'fileGUID', 'path', 'status', 'data'],
	...['result', '0', '1'],
];
const nearly = fc.letrec((tie) => ({
	value: fc.oneof(
		{ maxDepth: 5, depthSize: 'medium' },
		fc.jsonValue(),
		fc.array(tie('value'), { maxLength: 4 }),
		fc.dictionary(fc.constantFrom(...names, 'toString', '__proto__', 'length'), tie('value'), {
			maxKeys: 4,
		}),
	),
})).value;
const body = fc.oneof(
	nearly.map((value) => JSON.stringify(value)),
	fc.string({ unit: 'binary', maxLength: 2000 }),
	fc.constantFrom('<html>', '<!DOCTYPE html><p>', '{"errors":', ''),
	nearly.map((value) => `<b>Notice</b>: [0] {}\n${JSON.stringify(value)}`),
);
const status = fc.integer({ min: 100, max: 599 });
const method = fc.constantFrom('GET', 'DELETE', 'POST', 'PATCH');

function thrownBy(work: () => unknown): unknown {
	try {
		work();
	} catch (error) {
		return error;
	}
	return undefined;
}

/** How many inputs each test tries. */
const numRuns = 2000;

test('any response is data, or a failure with a readable message', () => {
	fc.assert(
		fc.property(method, status, body, (sentBy, code, text) => {
			const response = {
				method: sentBy,
				status: code,
				tries: 1,
				quote: (text: string) => text,
				maybeSent: true,
				text,
			};
			const readers = operations.map((operation) => {
				const content = contentOf(operation);
				return () => dataOf(judgedTry({ ...response, operation, content }), noHint);
			});
			for (const error of readers.map(thrownBy)) {
				if (error === undefined) continue;
				expect(error).toBeInstanceOf(Failure);
				const { message } = error as Failure;
				expect(message).toMatch(/^[A-Z]/);
				expect(message).not.toMatch(/\[object |^The service refused the values: undefined/);
				expect(message.length).toBeLessThan(60_000);
			}
		}),
		// An object may have no toString().
		{
			numRuns,
			examples: ['shift', 'status'].map((name) => [
				'GET',
				100,
				`<b>Notice</b>\n{"${name}":{"toString":{}}}`,
			]),
		},
	);
});

const query = fc.dictionary(
	fc.constantFrom('code', 'state', 'error', 'error_description', 'other'),
	fc.oneof(fc.string(), fc.constant('s1')),
);

test('the redirect address gives the code only if the state is right and there is no error', () => {
	const address = fc
		.tuple(fc.webUrl(), query)
		.map(([url, values]) => ({ url: `${url}?${new URLSearchParams(values).toString()}`, values }));
	fc.assert(
		fc.property(address, fc.boolean(), ({ url, values }, isJson) => {
			let code: string | undefined;
			const text = isJson ? JSON.stringify(url) : url;
			const error = thrownBy(
				() => (code = codeWithState('s1', { url, status: 200, headers: {}, text })),
			);
			const isRefused = values.error || values.error_description?.trim();
			const isGood = values.code && values.state === 's1' && !isRefused;
			expect(code).toBe(isGood ? values.code : undefined);
			const isOfAnother = values.code && values.state !== 's1' && !isRefused;
			if (isOfAnother) expect(error).toBeInstanceOf(Failure);
		}),
		{ numRuns },
	);
});
