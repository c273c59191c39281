// Undocumented fields that a service wants: fields of a record, form fields next to a file, query parameters of a list.
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { useCannedService, well, type Name } from '../response/cannedService.cts';
import { aDay } from '../../harness/aDay.mts';

const service = useCannedService();
const given = { agencyID: 12, tags: ['a', null], more: { deep: true } };
const text = JSON.stringify(given);
const run = (name: Name, additionalFields: unknown, parameters: INodeParameters = {}, json = {}) =>
	service.run(
		name,
		{ body: name in well ? well[name as keyof typeof well] : '' },
		{ options: { additionalFields, include: 'sentFields' } as INodeParameters, parameters, json },
	);
const sent = () => JSON.parse(service.bodies.at(-1)!) as unknown;
const paths = [{ path: '/licenses/1' }];
const record = JSON.stringify({ ...aDay, name: 'B' });

test.each<[Name, INodeParameters, unknown]>([
	['create', {}, { ...aDay, name: 'A', ...given }],
	['create', { specifyFields: 'json', json: record }, { ...aDay, name: 'B', ...given }],
	['create', { specifyFields: 'inputItem' }, { ...aDay, name: 'item', ...given }],
	['people', {}, { eventName: 'A', ...given }],
	['bulk', {}, [{ op: 'replace', path: paths, value: [{ userID: 7 }], ...given }]],
])('%s (%j): they are sent as given', async (name, parameters, expected) => {
	const { json } = await run(name, text, parameters, { ...aDay, name: 'item' });
	expect(json[0]).not.toHaveProperty('error');
	expect(sent()).toEqual(expected);
	// 'Include' returns them too.
	expect(json[0]).toMatchObject(given);
});

test('an expression gives each item its own, as JSON or as an object', async () => {
	for (const value of [
		'={{ $json }}',
		'={{ JSON.stringify($json) }}',
		'={"row":{{ $json.row }}}',
	]) {
		await run('create', value, {}, { row: 3 });
		expect(sent()).toEqual({ ...aDay, name: 'A', row: 3 });
	}
});

test('form fields are sent unchanged, in front of the file', async () => {
	await service.run(
		'upload',
		{ body: well.upload },
		{ options: { additionalFields: '{"folder":"A \\"B\\" é","agencyID":12,"open":true}' } },
	);
	const parts = service.bodies
		.at(-1)!
		.split(/--+[^\r]*\r\n/)
		.filter((part) => part.includes('name='));
	expect(parts.map((part) => part.trim())).toEqual([
		'Content-Disposition: form-data; name="folder"\r\n\r\nA "B" é',
		'Content-Disposition: form-data; name="agencyID"\r\n\r\n12',
		'Content-Disposition: form-data; name="open"\r\n\r\ntrue',
		expect.stringMatching(/^Content-Disposition: form-data; name="file"; filename="x.txt"/),
	]);
});

test.each([
	['list', '/agencyvendors/vendors?agencyID=12&open=true&limit=1'],
	['listAll', '/agencycriticalinfrastructure/criticalinfrastructure?agencyID=12&open=true'],
] as const)('%s: they are sent as query parameters', async (name, path) => {
	await run(name, '{"agencyID":12,"open":true}');
	expect(service.paths.at(-1)).toBe(path);
});

test.each<[Name, unknown, RegExp, IDataObject?]>([
	['create', '{"stationNumber":"4"}', /'Other Fields \(JSON\)' has 'stationNumber'/],
	['people', '{"eventID":4}', /has 'eventID', which is a field of this form/],
	['notification', '{"notificationModel":{"priority":1}}', /has 'notificationModel'/],
	['bulk', '{"path":[]}', /has 'path'/],
	['upload', '{"folder":null}', /has 'folder', which must be text, a number, true or false/],
	['list', '{"offset":1}', /has 'offset'/],
	['list', '{"filter":"x"}', /has 'filter'/],
	['create', '', /'Other Fields \(JSON\)' is empty: give a value, or remove it/],
	['create', '={{ undefined }}', /is empty: give a value, or remove it/],
	['create', '{"agencyID":1}', /'Station_Number' must be called station/, { Station_Number: 4 }],
])('%s with %j is refused before anything is sent', async (...[name, value, message, json]) => {
	const parameters: INodeParameters = json ? { specifyFields: 'inputItem' } : {};
	const result = await run(name, value, parameters, json);
	expect(result.json).toMatchObject([
		{ message: expect.stringMatching(message), error: { outcome: 'notSent' } },
	]);
	expect(service.bodies).toEqual([]);
});
