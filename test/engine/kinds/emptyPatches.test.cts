// A bulk patch that sets nothing is refused before anything is sent, in all three ways of giving a record: it might
// take a license away from everybody who holds it.
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import type { Name } from '../response/cannedService.cts';
import { useCannedService } from '../response/cannedService.cts';

const service = useCannedService();
const op = 'replace';

/** The sent bodies, or the error item's message. */
async function patch(name: Name, parameters: INodeParameters, json: IDataObject = {}) {
	service.bodies = [];
	const ok = [{ path: '/1', status: 200, response: 200 }];
	const body = name === 'maintain' ? ok : { ok };
	const { json: output } = await service.run(name, { body }, { parameters, json });
	const sent = service.bodies.filter((text) => text.startsWith('['));
	return sent.length > 0 ? (JSON.parse(sent[0]!) as unknown) : output[0]!.message;
}

const inputItem = { specifyFields: 'inputItem' };
const asJson = (record: IDataObject) => ({ specifyFields: 'json', json: JSON.stringify(record) });

/**
 * By operation: its input, the message if that is empty, and the name of its paths; values that set nothing, on the
 * form and in a record; a value that sets something; fields next to the value.
 */
describe.each<[Name, string, RegExp, string, INodeParameters[], unknown[], unknown, IDataObject]>([
	[
		'maintain',
		'Values to Set',
		/^'Values to Set' is required but empty$/,
		'paths',
		[{ value: {} }, { value: { completedDate: '={{ $json.no }}' } }, { value: '={{ $json.no }}' }],
		[{}, null, undefined, { completedDate: null }],
		{ completedDate: '' },
		{ completedDate: '2026-03-04', doneByUserID: '7' },
	],
	[
		'bulk',
		'Users to Set',
		/^'Users to Set.* required but empty/,
		'path',
		[
			...[{ value: {} }, { value: { entries: [{ userID: '' }] } }],
			...[{ value: '={{ $json.no }}' }, { value: '={{ [{ userID: 7 }] }}' }],
		],
		[null, undefined, [null], [{}]],
		[],
		{ userID: 7 },
	],
])('%s', (name, label, isEmpty, pathsName, onForm, ofRecord, given, beside) => {
	const paths = [{ path: '/1' }];
	const record = (value: unknown) => ({ op, [pathsName]: paths, value }) as IDataObject;
	const empty = expect.stringMatching(isEmpty);
	/** The same record, given in both ways. */
	const inBothWays = async (given: IDataObject) => [
		await patch(name, inputItem, given),
		await patch(name, asJson(given)),
	];

	test.each(onForm)('sets nothing on the form: %j', async (inputs) => {
		const parameters = { op, [pathsName]: { entries: paths }, ...inputs };
		expect(await patch(name, parameters)).toEqual(empty);
	});

	test.each(ofRecord)('sets nothing in a record: %j', async (value) => {
		expect(await inBothWays(record(value))).toEqual([empty, empty]);
	});

	test('fields next to the paths set nothing', async () => {
		const said = expect.stringContaining(`'${label}' is required but empty`);
		expect(await inBothWays({ op, [pathsName]: paths, ...beside })).toEqual([said, said]);
	});

	test('a deliberately empty value is a value', async () => {
		expect(await inBothWays(record(given))).toEqual([[record(given)], [record(given)]]);
	});
});
