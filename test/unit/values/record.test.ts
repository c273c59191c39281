import {
	dateTime,
	group,
	id,
	integer,
	object,
	objects,
	text,
	textList,
} from '../../../engine/area';
import { layoutOf } from '../../../engine/form/layout';
import { ConstantGroups } from '../../../engine/values/group';
import { readItem } from '../../../engine/values/item';
import { newYork, operation, readForm } from './readForm';

describe('three ways to give a record', () => {
	const described = operation(
		[
			dateTime('fromDate'),
			objects('path', [text('path', { required: true })]),
			textList('personnel'),
			object('dAgency.05'),
			group('model', [integer('equipmentID'), text('status')]),
		],
		{ ids: [id('shiftID')] },
	);
	const record = {
		fromDate: '2026-03-02T07:00:00',
		path: [{ path: '/a' }],
		personnel: ['A', 'B'],
		'dAgency.05': { code: 1 },
		model: { equipmentID: 7, status: 'new' },
	};
	const sent = { ...record, fromDate: '2026-03-02T07:00:00-05:00' };

	test.each([
		[
			'form',
			{
				shiftID: 5,
				fields: {
					fromDate: record.fromDate,
					path: { entries: record.path },
					personnel: [['A', 'B']],
					dAgency_05: '{"code": 1}',
				},
				model: record.model,
			},
			{},
		],
		['inputItem', {}, { ...record, shiftID: 5, other: 'ignored' }],
		['json', { shiftID: 5, json: JSON.stringify(record) }, {}],
		['json', { shiftID: 5, json: record }, {}],
	])('%s', (specifyFields, form, json) => {
		const { values, problems } = readForm(described, { specifyFields, ...form }, newYork, json);
		expect(problems).toEqual([]);
		expect(values.body).toEqual(sent);
		expect(values.path).toEqual({ shiftID: 5 });
	});

	const bad = {
		fromDate: 'soon',
		path: 'x',
		personnel: [{}],
		'dAgency.05': '[1]',
		model: { equipmentID: 'x' },
	};
	test.each([
		[
			'form',
			{
				shiftID: 0,
				fields: { ...bad, 'dAgency.05': undefined, dAgency_05: '[1]', path: { entries: 'x' } },
				model: bad.model,
			},
			{},
		],
		['inputItem', {}, { ...bad, shiftID: 0 }],
		['json', { shiftID: 0, json: bad }, {}],
	])('%s names every bad field', (specifyFields, form, json) => {
		const { problems } = readForm(described, { specifyFields, ...form }, newYork, json);
		expect(problems.map(({ label }) => label).sort()).toEqual([
			'D Agency 05',
			'From Date',
			'Model › Equipment ID',
			'Path',
			'Personnel',
			'Shift ID',
		]);
	});

	test('names that match nothing are refused in JSON, not of the item', () => {
		const json = {
			...record,
			shiftID: 5,
			colour: 1,
			model: { ...record.model, hue: 2 },
			path: [{ path: '/a' }, { path: '/b', tint: 3 }],
		};
		const { shiftID, ...given } = json;
		const names = ['colour', 'model.hue', 'path[].tint'];
		const texts = (form: Record<string, unknown>) =>
			readForm(described, form, newYork, json).problems;
		const refused = (known: string) => [
			...names.map((label) => ({ label, text: 'is not a field of this operation' })),
			{ label: '', text: `its fields are ${known}` },
		];
		const known = 'fromDate, path, personnel, dAgency.05, model';
		expect(texts({ specifyFields: 'json', shiftID, json: given })).toEqual(refused(known));
		expect(texts({ specifyFields: 'inputItem' })).toEqual([]);
	});

	test('the input item is read without asking the form for any field', () => {
		const asked: string[] = [];
		readItem(layoutOf(described), {
			parameter(name) {
				asked.push(name);
				return name === 'specifyFields' ? 'inputItem' : {};
			},
			json: { ...record, shiftID: 5 },
			timeZone: newYork,
			constantGroups: new ConstantGroups({}),
		});
		expect([...new Set(asked)].sort()).toEqual(['options', 'specifyFields']);
	});

	test.each(['', '[]', '{', 'text', 7])('the JSON %j is no record', (json) => {
		const { problems } = readForm(described, { specifyFields: 'json', shiftID: 5, json });
		expect(problems[0]).toEqual({ label: 'JSON', text: expect.stringContaining('JSON object') });
	});
});

test.each([
	[{}, { name: 'A', model: {} }],
	[{ status: null }, { name: 'A' }],
	[null, { name: 'A' }],
])('an object %j inside a record', (model, body) => {
	const described = operation([text('name'), group('model', [text('status')])]);
	const { values, problems } = readForm(
		described,
		{ specifyFields: 'json', json: { name: 'A', model } },
		newYork,
	);
	expect([problems, values.body]).toEqual([[], body]);
});
