import { dateTime, id, integer, object, text, textList } from '../../../engine/area';
import { layoutOf } from '../../../engine/form/layout';
import { ConstantGroups } from '../../../engine/values/formInputs';
import { readItem } from '../../../engine/values/item';
import { newYork, operation, readForm } from './readForm';

describe('three ways to give a record', () => {
	const described = operation(
		[
			dateTime('fromDate'),
			{ name: 'path', type: 'objects', fields: [text('path', { required: true })] },
			textList('personnel'),
			object('dAgency.05'),
			{ name: 'model', type: 'group', fields: [integer('equipmentID'), text('status')] },
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

	test('names that match nothing are refused in JSON, and not of the item', () => {
		const json = {
			...record,
			colour: 1,
			model: { ...record.model, hue: 2 },
			path: [{ path: '/a' }, { path: '/b', tint: 3 }],
		};
		const read = (form: Record<string, unknown>) =>
			readForm(described, form, newYork, { ...json, shiftID: 5 });
		expect(read({ specifyFields: 'json', shiftID: 5, json }).problems).toEqual([
			...['colour', 'path.tint', 'model.hue'].map((label) => ({
				label,
				text: 'is not a field of this operation',
			})),
			{ label: '', text: 'its fields are fromDate, path, personnel, dAgency.05, model' },
		]);
		expect(read({ specifyFields: 'inputItem' }).problems).toEqual([]);
	});

	test.each([
		['FROM-DATE', 'fromDate'],
		['From Date', 'fromDate'],
		['dAgency05', 'dAgency.05'],
		['fromDates', undefined],
		['sendDate', undefined],
		['from', undefined],
		['dAgency.06', undefined],
		['Ж', undefined],
		[`fromDate${'x'.repeat(100_000)}`, undefined],
	])('the name %s is meant as %s', (name, meant) => {
		const json = { personnel: ['A'], [name]: null };
		const { problems } = readForm(described, { specifyFields: 'inputItem' }, newYork, {
			...json,
			shiftID: 5,
		});
		const nearMiss = { label: name, text: `must be called ${meant}: rename it, or remove it` };
		expect(problems).toEqual(meant === undefined ? [] : [nearMiss]);
		const inJson = readForm(described, { specifyFields: 'json', shiftID: 5, json }).problems;
		expect(inJson[0]).toEqual(
			meant === undefined ? { label: name, text: 'is not a field of this operation' } : nearMiss,
		);
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
		for (const name of ['shiftID', 'fields', 'model']) expect(asked).not.toContain(name);
	});

	test.each(['', '[]', '{', 'text', 7])('the JSON %j is no record', (json) => {
		const { problems } = readForm(described, { specifyFields: 'json', shiftID: 5, json });
		expect(problems[0]).toEqual({ label: 'JSON', text: expect.stringContaining('JSON object') });
	});
});

describe('a record without any value', () => {
	const described = operation(
		[text('name', { example: 'A' }), dateTime('fromDate'), text('stationNumber')],
		{ ids: [id('shiftID')] },
	);
	const missing = { label: 'Shift ID', text: 'is required and not filled in' };
	const none = 'No field has a value: the fields are';

	test.each([
		[{ crew: 'A', name: null }, ', and not crew. Rename the columns, or set '],
		[{}, ''],
	])('of the input item: %j', (item, others) => {
		const { problems } = readForm(described, { specifyFields: 'inputItem' }, newYork, item);
		const text = `${none} shiftID, name, fromDate, stationNumber${others}`;
		expect(problems).toEqual([missing, { label: '', text: expect.stringContaining(text) }]);
	});

	test('of JSON', () => {
		const { problems } = readForm(described, { specifyFields: 'json', shiftID: 5, json: '{}' });
		expect(problems).toEqual([{ label: '', text: `${none} name, fromDate, stationNumber` }]);
	});

	test('the sample that the JSON starts with is no record, until it is changed', () => {
		const fields = [text('name', { example: 'B shift' }), integer('no', { example: 3 })];
		const read = (json: unknown) =>
			readForm(operation(fields), { specifyFields: 'json', json }).problems;
		const sample = '{\n  "name": "B shift",\n  "no": 3\n}';
		expect(read(sample)).toEqual([
			{ label: 'JSON', text: 'is still the sample: replace it with your record' },
		]);
		expect(read(sample.replace('B', 'A'))).toEqual([]);
		expect(read(JSON.parse(sample))).toEqual([]);
	});
});
