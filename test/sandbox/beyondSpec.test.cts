// The operations beyond the API spec of a sandbox like the public record: an independent client reads lists of created
// records, and of the records that writes refer to.
import axios from 'axios';

import { defaultDialects, publicDialects } from '../../sandbox/dialects.mts';
import { keyHeader, signIn, tokenBody } from '../harness/client.mts';
import { useSandbox } from '../harness/useSandbox.cts';

const sandbox = useSandbox({ dialects: publicDialects });
let token: string;
beforeAll(async () => {
	token = await signIn(sandbox.url);
});

async function call(
	method: string,
	url: string,
	data?: unknown,
	more = {},
): Promise<[number, unknown]> {
	const headers = { ...keyHeader, Authorization: token, ...more };
	const config = { baseURL: sandbox.url, method, url, data, headers, validateStatus: () => true };
	const response = await axios.request<unknown>(config);
	return [response.status, response.data];
}

type List = Record<string, Array<Record<string, unknown>>>;
const list = async (url: string) => (await call('GET', url))[1] as List;

test.each([
	['/agencyshiftschedules/shiftschedules', 'shiftschedules', { name: 'A Shift' }],
	['/agencyexposures/101/NASFWildlandFires', 'NASFWildlandFires', { IncidentName: 'Dry Creek' }],
	['/agencyusersxor/users/101/losappoints', 'losappoints', { categoryID: 4 }],
	['/agencymappings/mappings/clients/102', 'clients', { personnel: ['11'] }],
	['/agencyincidents/incidents', 'incidents', { incidentNumber: '2026-77777' }],
])('GET %s lists the records created there', async (url, name, record) => {
	const before = (await list(`${url}?limit=100`))[name]!.length;
	expect((await call('POST', url, record))[0]).toBe(201);
	const rows = (await list(`${url}?limit=100`))[name]!;
	expect(rows).toHaveLength(before + 1);
	const [[field, value]] = Object.entries(record) as [[string, unknown]];
	expect(JSON.stringify(rows.at(-1)![field])).toContain(String([value].flat()[0]));
});

test('incidents can be filtered by a range of days, and sorted', async () => {
	const span = 'incidentDateTime ge "2026-01-20", incidentDateTime lt "2026-01-22"';
	const query = `filter=${span}&orderby=incidentDateTime DESC`;
	const { incidents } = await list(`/agencyincidents/incidents?${query}`);
	const days = incidents!.map(({ incidentDateTime }) => String(incidentDateTime).slice(0, 10));
	expect(days).toEqual(['2026-01-21', '2026-01-20']);
});

/** The IDs of the rows that a filter finds. */
const found = async (url: string, name: string, filter: string) => {
	const idField = { incidents: 'incidentID', stations: 'stationID' }[name] ?? 'notificationID';
	const rows = (await list(`${url}?limit=100&filter=${encodeURIComponent(filter)}`))[name]!;
	return rows.map((row) => row[idField]);
};

test.each([
	['stationNumber eq 2', ['102', '104']],
	['stationNumber eq 02.0', ['102', '104']],
	['stationNumber ge 2', ['102', '103', '104']],
	['stationNumber eq "2"', ['102']],
	['stationNumber eq "02"', ['104']],
	['stationID eq 103', ['103']],
	['stationID lt "102"', ['101']],
	['stationName eq 2', []],
])('stations are filtered by %s', async (filter, ids) => {
	if (!sandbox.records.get('station', 104))
		sandbox.records.insert('station', { stationNumber: '02', stationName: 'Annex' });
	expect(await found('/agencystations/stations', 'stations', filter)).toEqual(ids);
});

test.each([
	['incidentDateTime ge 2026-02-24 07:39:00', ['130']],
	['incidentDateTime gt 2026-02-23', ['129', '130']],
	['dispatchRunNumber eq "26003"', ['103']],
	['dispatchRunNumber eq 26003, stationID eq 103', ['103']],
	['incidentID lt 103', ['101', '102']],
	['isReviewed eq 1', undefined],
	['incidentID eq 139 and stationID eq 1', undefined],
])('incidents are filtered by %s', async (filter, ids) => {
	const url = '/agencyincidents/incidents';
	const query = `?filter=${encodeURIComponent(filter)}`;
	if (ids) return expect(await found(url, 'incidents', filter)).toEqual(ids);
	expect((await call('GET', url + query))[0]).toBe(400);
});

test('a list can be sorted by ID, but not by a field it does not have', async () => {
	const { incidents } = await list(
		'/agencyincidents/incidents?orderby=incidentID DESC&filter=incidentID le 140&limit=2',
	);
	expect(incidents!.map(({ incidentID }) => incidentID)).toEqual(['140', '139']);
	expect((await call('GET', '/agencyincidents/incidents?orderby=incidentIDs'))[0]).toBe(400);
});

test('an empty list can be filtered, since people look a record up before they create it', async () => {
	expect(
		await list('/agencyoccupancies/occupancies/inspections/forms?filter=category eq "A"'),
	).toEqual({ totalRows: '0', forms: [] });
});

test('a record keeps the ID that the sandbox gave it, whatever ID it names itself', async () => {
	const url = '/agencynotifications/notification';
	const description = 'Low air pressure';
	const own = { notificationID: 7, rowVersion: 'x', rowNum: 9 };
	const [status, created] = await call('POST', url, { ...own, notificationModel: { description } });
	const { notificationID } = created as { notificationID: string };
	expect([status, notificationID]).toEqual([201, expect.not.stringMatching(/^7$/)]);
	expect(await found(url, 'notification', `notificationID eq ${notificationID}`)).toEqual([
		notificationID,
	]);
	expect((await call('PATCH', `${url}/${notificationID}`, own))[0]).toBe(200);
	const [, { notification }] = (await call('GET', `${url}/${notificationID}`)) as [number, List];
	const rowVersion = expect.stringMatching(/^[0-9A-F]{16}$/) as string;
	expect(notification).toEqual({ notificationID, rowVersion, notificationModel: { description } });
});

test('a record belongs to the parent in its path, whatever its body says', async () => {
	const url = '/agencyexposures/105/NASFWildlandFires';
	const [, created] = await call('POST', url, { exposureID: 106, IncidentName: 'Elk' });
	const id = String(Object.values(created as object)[0]);
	expect((await list(url)).NASFWildlandFires).toMatchObject([{ exposureID: '105' }]);
	expect((await call('GET', `${url}/${id}`))[0]).toBe(200);
	expect((await call('GET', `/agencyexposures/106/NASFWildlandFires/${id}`))[0]).toBe(404);
	expect((await call('POST', '/agencyincidents/incidents/999/exposures', {}))[0]).toBe(400);
});

test('a record of a list can be read, changed and removed', async () => {
	const url = '/agencyincidents/incidents/102';
	const read = async () => ((await call('GET', url))[1] as List).incident;
	const changes = [
		{ op: 'replace', path: '/stationID', value: 9 },
		{ op: 'remove', path: '/incidentNumber' },
	];
	const changed = await call('PATCH', url, changes);
	expect(changed).toEqual([200, { rowVersion: expect.any(String) }]);
	const version = { ETag: (changed[1] as { rowVersion: string }).rowVersion };
	expect((await call('PATCH', url, { narrative: 'Smoke' }, version))[0]).toBe(200);
	const conflict = { errors: [{ type: 'Conflict', message: expect.any(String) }] };
	for (const method of ['PATCH', 'DELETE'])
		expect(await call(method, url, { narrative: 'Fire' }, version)).toEqual([409, conflict]);
	expect(await read()).toMatchObject({ incidentID: '102', narrative: 'Smoke', stationID: '9' });
	expect(await read()).not.toHaveProperty('incidentNumber');
	expect((await call('DELETE', url))[0]).toBe(204);
	expect(await call('GET', url)).toEqual([200, []]);
	expect((await call('DELETE', url))[0]).toBe(404);
});

test.each([
	['POST', '"abc"'],
	['POST', '5'],
	['POST', '[{}]'],
	['POST', ''],
	['PATCH', '[{"op":"replace"}]'],
	['PATCH', '[{"op":"replace","path":"/name"}]'],
	['PATCH', '[{"op":"copy","path":"/name","value":1}]'],
	['PATCH', '[{"op":"add","path":"/a/b","value":1}]'],
	['PATCH', '[null]'],
	['PATCH', '[[1]]'],
	['PATCH', 'null'],
	['PATCH', ''],
])('%s of %s is refused', async (method, data) => {
	const url = `/agencyincidents/incidents${method === 'PATCH' ? '/103' : ''}`;
	const before = sandbox.records.counts().get('incident');
	expect((await call(method, url, data, { 'Content-Type': 'application/json' }))[0]).toBe(400);
	expect(sandbox.records.counts().get('incident')).toBe(before);
});

test.each([
	['/agencyapparatus/apparatus', 'apparatus', ['departmentApparatusID', 'apparatusID']],
	['/agencyclasses/classes/agencycodecategories', 'agencyCodeCategories', ['agencyCodeCategoryID']],
	['/agencyevents/events', 'events', ['eventsID', 'eventDateTime', 'category']],
	['/agencyevents/events/categories', 'eventCategories', ['eventCategoriesID']],
	['/agencyevents/events/types', 'eventTypes', ['eventTypeID', 'eventType']],
	['/agencyincidents/incidents', 'incidents', ['incidentID', 'dispatchRunNumber']],
	['/agencyincidents/incidents/exposures', 'exposures', ['exposureID', 'incidentID']],
	['/agencyincidents/incidents/104/exposures', 'exposures', ['exposureID', 'incidentType']],
	['/agencystations/stations', 'stations', ['stationNumber']],
	['/agencyusers/users', 'users', ['userID', 'fullName', 'agencyPersonnelID', 'Archive', 'title']],
])('GET %s returns the list %s', async (url, name, fields) => {
	const [row] = (await list(url))[name]!;
	for (const field of ['rowNum', 'rowVersion', ...fields]) {
		expect(row).toHaveProperty(field);
		expect(typeof row![field]).toBe('string');
	}
});

test.each([
	['/agencyevents/events/102/people', '/agencyevents/events/people', 'eventPeople'],
	['/agencyincidents/exposures/102/crewmembers', undefined, 'crewMembers'],
	[
		'/agencyincidents/exposures/102/apparatuses?useAssociatedAgencyApparatusID=1',
		undefined,
		'exposureApparatuses',
	],
])('POST to %s adds a row to its list', async (url, all, name) => {
	expect((await call('POST', url, { narrative: '' }))[0]).toBe(201);
	for (const address of [url.split('?')[0]!, all ?? []].flat())
		expect((await list(address))[name]).toMatchObject([{ narrative: null }]);
});

test('a user finds their own record', async () => {
	const [status, me] = await call('GET', '/agencyusers/users/me');
	expect([status, me]).toMatchObject([200, { user: { login: 'chief', licenses: [] } }]);
});

test('a write without content returns none, even where numbers are text', async () => {
	const url = '/agencymappings/mappings/clients/101';
	expect(await call('POST', url, { personnel: [] })).toEqual([201, '']);
});

test('a bulk patch may have numbers where text is declared', async () => {
	const url = '/agencyapparatusmaintenance/v1/apparatus/maintenance';
	const [{ departmentApparatusID: id }] = (await list('/agencyapparatus/apparatus')).apparatus as [
		Record<string, string>,
	];
	const patch = { op: 'add', value: { maintenanceType: 1 }, paths: [{ path: `/${id}` }] };
	expect(await call('PATCH', url, [patch])).toEqual([200, [{ path: '/101', response: '200' }]]);
	expect((await call('PATCH', url, [{ ...patch, op: true }]))[0]).toBe(400);
});

test('a sign-in needs no Content-Type, and both token operations accept the password grant', async () => {
	const post = (url: string, data: object) =>
		fetch(sandbox.url + url, {
			method: 'POST',
			headers: keyHeader,
			// Bytes, because fetch would add a type for text.
			body: Buffer.from(JSON.stringify(data)),
		});
	const { username, password, client_id } = tokenBody() as Record<string, string>;
	const asked = { response_type: 'code', client_id, username, password, state: 's' };
	expect((await post('/auth/Authorize.php', asked)).status).toBe(200);
	for (const url of ['/authpass/Token.php', '/authtoken/Token.php']) {
		const response = await post(url, tokenBody());
		expect([response.status, await response.json()]).toMatchObject([200, { expires_in: 3600 }]);
	}
	expect((await post('/authtoken/Token.php', tokenBody({ grant_type: 'x' }))).status).toBe(400);
});

test('1 shows archived rows, as true does', async () => {
	const total = async (query: string) =>
		Number((await list(`/agencyvendors/vendors?limit=1${query}`)).totalRows);
	const all = await total('&showArchived=true');
	expect([await total('&showArchived=1'), await total('')]).toEqual([all, all - 12]);
	expect(await total('&showArchived=0')).toBe(all - 12);
});

test('by default the sandbox has none of these, and refuses them before it checks parameters', async () => {
	Object.assign(sandbox.dialects, defaultDialects);
	for (const url of ['/agencyincidents/incidents?color=red', '/nowhere?color=red'])
		expect((await call('GET', url))[0]).toBe(404);
	Object.assign(sandbox.dialects, publicDialects);
});
