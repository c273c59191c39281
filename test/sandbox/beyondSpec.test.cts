// What a sandbox that is like the public record has beyond the API spec: an independent client reads lists of what it
// created, and the records that writes refer to.
import axios from 'axios';

import { defaultDialects, publicDialects } from '../../sandbox/dialects.mts';
import { keyHeader, signIn } from '../harness/client.mts';
import { useSandbox } from '../harness/useSandbox.cts';

const sandbox = useSandbox({ dialects: publicDialects });
let token: string;
beforeAll(async () => {
	token = await signIn(sandbox.url);
});

async function call(method: string, url: string, data?: object): Promise<[number, unknown]> {
	const headers = { ...keyHeader, Authorization: token };
	const config = { baseURL: sandbox.url, method, url, data, headers, validateStatus: () => true };
	const answer = await axios.request<unknown>(config);
	return [answer.status, answer.data];
}

type List = Record<string, Array<Record<string, unknown>>>;
const list = async (url: string) => (await call('GET', url))[1] as List;

test.each([
	['/agencyshiftschedules/shiftschedules', 'shiftschedules', { name: 'A Shift' }],
	['/agencyexposures/101/NASFWildlandFires', 'NASFWildlandFires', { IncidentName: 'Dry Creek' }],
	['/agencyusersxor/users/101/losappoints', 'losappoints', { categoryID: 4 }],
	['/agencymappings/mappings/clients/102', 'clients', { personnel: ['11'] }],
	['/agencyincidents/incidents', 'incidents', { incidentNumber: '2026-77777' }],
])('GET of %s lists what was created there', async (url, name, record) => {
	const before = (await list(`${url}?limit=100`))[name]!.length;
	expect((await call('POST', url, record))[0]).toBe(201);
	const rows = (await list(`${url}?limit=100`))[name]!;
	expect(rows).toHaveLength(before + 1);
	const [[field, value]] = Object.entries(record) as [[string, unknown]];
	expect(JSON.stringify(rows.at(-1)![field])).toContain(String([value].flat()[0]));
});

test('a list below a record has the rows of that record alone', async () => {
	await call('POST', '/agencyexposures/103/NASFWildlandFires', { IncidentName: 'Elk' });
	expect((await list('/agencyexposures/104/NASFWildlandFires')).NASFWildlandFires).toEqual([]);
});

test('incidents can be filtered by a span of days, and put in order', async () => {
	const span = 'incidentDateTime ge "2026-01-20", incidentDateTime lt "2026-01-22"';
	const query = `filter=${span}&orderby=incidentDateTime DESC`;
	const { incidents } = await list(`/agencyincidents/incidents?${query}`);
	const days = incidents!.map(({ incidentDateTime }) => String(incidentDateTime).slice(0, 10));
	expect(days).toEqual(['2026-01-21', '2026-01-20']);
});

test('a record of a list is read, changed and removed', async () => {
	const url = '/agencyincidents/incidents/102';
	const changed = await call('PATCH', url, [{ op: 'replace', path: '/stationID', value: 9 }]);
	expect(changed).toEqual([200, { rowVersion: expect.any(String) }]);
	expect((await call('PATCH', url, { narrative: 'Smoke' }))[0]).toBe(200);
	const [, incident] = await call('GET', url);
	expect(incident).toMatchObject({ narrative: 'Smoke' });
	expect(String((incident as { stationID: unknown }).stationID)).toBe('9');
	expect((await call('DELETE', url))[0]).toBe(204);
	expect(await call('GET', url)).toEqual([200, []]);
	expect((await call('DELETE', url))[0]).toBe(404);
});

test('the sandbox itself has none of these, and says so before it looks at parameters', async () => {
	Object.assign(sandbox.dialects, defaultDialects);
	for (const url of ['/agencyincidents/incidents?color=red', '/nowhere?color=red'])
		expect((await call('GET', url))[0]).toBe(404);
	Object.assign(sandbox.dialects, publicDialects);
});
