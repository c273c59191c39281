// A bulk patch that sets nothing is refused before anything is sent, in each of the three ways of giving a record: of
// licenses, it may take the license away from all who hold it.
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import type { Name } from '../answer/answeringService.cts';
import { useAnsweringService } from '../answer/answeringService.cts';

const service = useAnsweringService();
const op = 'replace';

/** The bodies that are sent, or the message of the error item. */
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

describe('maintenance', () => {
	const paths = [{ path: '/1' }];
	const empty = "'Values to Set' is required but empty";
	const onForm = { op, paths: { entries: paths } };
	const flat = { op, paths, completedDate: '2026-03-04', doneByUserID: '7' };

	test.each<[string, INodeParameters, IDataObject]>([
		['form, blank', { ...onForm, value: {} }, {}],
		[
			'form, expressions that give nothing',
			{ ...onForm, value: { completedDate: '={{ $json.no }}' } },
			{},
		],
		['form, one expression', { ...onForm, value: '={{ $json.no }}' }, {}],
		...[{}, null, undefined, { completedDate: null }].flatMap(
			(value): Array<[string, INodeParameters, IDataObject]> => [
				[`item, ${JSON.stringify(value)}`, inputItem, { op, paths, value }],
				[`JSON, ${JSON.stringify(value)}`, asJson({ op, paths, value }), {}],
			],
		),
	])('%s', async (_, parameters, json) => {
		expect(await patch('maintain', parameters, json)).toBe(empty);
	});

	test('the name of a value beside the paths', async () => {
		expect(await patch('maintain', inputItem, flat)).toBe(empty);
		expect(await patch('maintain', asJson(flat))).toContain(empty);
	});

	test('an empty text is a value', async () => {
		const record = { op, paths, value: { completedDate: '' } };
		expect(await patch('maintain', inputItem, record)).toEqual([record]);
	});
});

describe('licenses', () => {
	const path = [{ path: '/1' }];
	const empty = "'Users to Set' is required but empty";
	const onForm = { op, path: { entries: path } };

	test.each<[string, INodeParameters, IDataObject]>([
		['form, blank', { ...onForm, value: {} }, {}],
		['form, an entry that is blank', { ...onForm, value: { entries: [{ userID: '' }] } }, {}],
		['form, one expression', { ...onForm, value: '={{ $json.no }}' }, {}],
		['form, a list by one expression', { ...onForm, value: '={{ [{ userID: 7 }] }}' }, {}],
		...[null, undefined, [null], [{}]].flatMap(
			(value): Array<[string, INodeParameters, IDataObject]> => [
				[`item, ${JSON.stringify(value)}`, inputItem, { op, path, value } as IDataObject],
				[`JSON, ${JSON.stringify(value)}`, asJson({ op, path, value } as IDataObject), {}],
			],
		),
	])('%s', async (_, parameters, json) => {
		expect(await patch('bulk', parameters, json)).toMatch(/^'Users to Set.* required but empty/);
	});

	test('a user beside the paths', async () => {
		expect(await patch('bulk', inputItem, { op, path, userID: 7 })).toBe(empty);
	});

	test.each<[string, INodeParameters, IDataObject]>([
		['item', inputItem, { op, path, value: [] }],
		['JSON', asJson({ op, path, value: [] }), {}],
	])('%s: an empty list is sent, since it was given', async (_, parameters, json) => {
		expect(await patch('bulk', parameters, json)).toEqual([{ op, path, value: [] }]);
	});
});
