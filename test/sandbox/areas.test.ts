// What an independent client gets from the areas that hang on other records.
import axios, { type AxiosRequestConfig } from 'axios';

import { keyHeader, signIn } from '../harness/client';
import { useSandbox } from '../harness/useSandbox';

const sandbox = useSandbox();
let headers: Record<string, string>;
beforeAll(async () => {
	headers = {
		...keyHeader,
		Authorization: await signIn(sandbox.url),
		'Content-Type': 'application/json',
	};
});

const call = async (method: string, url: string, data?: unknown, more?: AxiosRequestConfig) => {
	const answer = await axios.request<unknown>({
		baseURL: sandbox.url,
		method,
		url,
		data,
		headers,
		validateStatus: () => true,
		...more,
	});
	return [answer.status, answer.data];
};
const refused = (...fields: string[]) => [
	400,
	{
		errors: {
			validationErrors: fields.map((field) => ({ field, message: expect.any(String) as string })),
		},
	},
];

const demographics = '/agencydAgency/nemsis_3.4.0_demographics/dAgency';

test.each<[string, string, object, string | undefined, string, object]>([
	[
		'/agencyexposures/101/NASFWildlandFires',
		'wildlandFire',
		{ District: 'North' },
		'NASFWildlandFireID',
		'exposureID',
		{ District: 7 },
	],
	[
		'/agencyevents/events/101/people',
		'eventPeople',
		{ hours: 1.5 },
		undefined,
		'eventID',
		{ locked: 'yes' },
	],
	[
		`${demographics}/101/AgencyYearGroups`,
		'agencyYearGroups',
		{ 'dAgency.05': { a: 1 } },
		'dAgencyAgencyYearGroupsID',
		'dAgencyID',
		{ 'dAgency.06': {} },
	],
	[
		'/agencyusersxor/users/101/losappoints',
		'losapPoint',
		{ actualPoints: 5 },
		'losapPointID',
		'userID',
		{ startDate: '2026' },
	],
	[
		'/agencymappings/mappings/clients/101',
		'clientMapping',
		{ stations: ['4'] },
		undefined,
		'clientID',
		{ stations: [4] },
	],
])('%s', async (url, kind, body, key, parent, wrong) => {
	const [status, data] = await call('POST', url, body);
	const { id, data: stored } = sandbox.records.list(kind).rows.at(-1)!;
	expect([status, data]).toEqual([201, key ? { [key]: id } : '']);
	expect(stored).toEqual({ [parent]: 101, ...body });
	expect(await call('POST', url.replace('101', '999999'), body)).toEqual(refused(parent));
	expect((await call('POST', url, wrong))[0]).toBe(400);
	expect(await call('POST', url, { ...body, unknown: 1 })).toEqual(refused('unknown'));
	expect(sandbox.records.count(kind)).toBe(1);
});

test('a notification gets a string, a category and a form a number', async () => {
	expect(
		await call('POST', '/agencynotifications/notification', { notificationModel: {} }),
	).toEqual([201, { notificationID: '101' }]);
	expect(await call('POST', '/agencylibrary/library/categories', { locked: true })).toEqual([
		201,
		{ categoryID: 101 },
	]);
	const form = { category: 'Annual' };
	expect(await call('POST', '/agencyoccupancies/occupancies/inspections/forms', form)).toEqual([
		201,
		{ formID: 101 },
	]);
	expect(sandbox.records.get('inspectionForm', 101)!.data).toEqual(form);
});

test('a code that a category already has is a conflict', async () => {
	const student = { agencyCodeCategoryID: 1, code: 'FF1' };
	const url = '/agencyclasses/classes/students';
	expect(await call('PATCH', url, student)).toEqual([200, '']);
	expect((await call('PATCH', url, student))[0]).toBe(409);
	expect((await call('PATCH', url, { ...student, code: 'FF2' }))[0]).toBe(200);
	for (const description of ['one', 'two']) {
		expect((await call('PATCH', url, { description }))[0]).toBe(200);
	}
	expect(sandbox.records.list('classStudent').rows[0]!.data).toEqual(student);
});

test('apparatus maintenance answers for each path', async () => {
	const { rowVersion } = sandbox.records.get('apparatusMaintenance', 101)!;
	const path = (id: number) => `/apparatus/${id}/maintenance`;
	const paths = [
		{ path: path(101), rowVersion },
		{ path: path(102), rowVersion: 'old' },
		{ path: path(9) },
	];
	const patch = { op: 'replace', value: { maintenanceComplete: 'true' }, paths };
	expect(
		await call('PATCH', '/agencyapparatusmaintenance/v1/apparatus/maintenance', [patch]),
	).toEqual([
		200,
		[200, 409, 404].map((response, index) => ({ path: paths[index]!.path, response })),
	]);
	expect(sandbox.records.get('apparatusMaintenance', 101)!.data.maintenanceComplete).toBe('true');
	expect(sandbox.records.get('apparatusMaintenance', 102)!.data.maintenanceComplete).toBe('false');
});

test('profile A needs the Content-Type also on a read', async () => {
	const bare = { ...headers };
	delete bare['Content-Type'];
	const url = '/agencycriticalinfrastructure/criticalinfrastructure';
	expect(await call('GET', url, undefined, { headers: bare })).toEqual(refused('content-type'));
});
