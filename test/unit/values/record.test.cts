import { dateTime, group, integer, object, objects, text, textList } from '../../../engine/area';
import { layoutOf } from '../../../engine/form/layout';
import { SavedForm } from '../../../engine/values/formInputs';
import { readItem } from '../../../engine/values/item';
import { operationWith } from '../operation.cts';
import { newYork, readForm } from './readForm.cts';

describe('the three ways to give a record (test/contract/properties.test.cts tries any valid ones)', () => {
	const path = objects('path', { fields: [text('path', { required: true })] });
	const model = group('model', { fields: [integer('equipmentID'), text('status')] });
	const described = operationWith({
		body: [dateTime('fromDate'), path, textList('personnel'), object('dAgency.05'), model],
		ids: [integer('shiftID', { required: true })],
	});

	test.each([
		[null, /required/],
		['Using JSON', /must be one of .*, json \(Using JSON\): /],
		['x', /must be one of .*, json \(Using JSON\): choose it in the list, which takes no expr/],
	])('%j is not one of them', (specifyFields, words) => {
		const form = { specifyFields, shiftID: 5, fields: { fromDate: '2026-03-01' } };
		const expected = { label: 'Specify Fields', text: expect.stringMatching(words) as string };
		expect(readForm(described, form).problems[0]).toMatchObject(expected);
	});

	test('unknown names are refused in JSON, but not in the input item', () => {
		const json = {
			colour: 1,
			model: { status: 'new', hue: 2 },
			path: [{ path: '/a' }, { path: '/b', tint: 3 }],
		};
		const read = (form: Record<string, unknown>) =>
			readForm(described, form, newYork, { ...json, shiftID: 5 });
		expect(read({ specifyFields: 'json', shiftID: 5, json }).problems).toEqual([
			...['colour', 'model.hue', 'path.tint'].map((label) => ({
				label,
				text: 'is not a field of this operation',
			})),
			{
				label: '',
				text: "Its fields are fromDate, path, personnel, dAgency.05, model; others go into 'Other Fields (JSON)'",
			},
		]);
		const { problems, inputHints } = read({ specifyFields: 'inputItem' });
		expect(problems).toEqual([]);
		expect(inputHints.unknownNames).toEqual(['colour', 'model.hue', 'path.tint']);
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
	])('the name %s is recognized as %s', (name, meant) => {
		const json = { personnel: ['A'], [name]: null };
		const item = { ...json, shiftID: 5 };
		const ofItem = readForm(described, { specifyFields: 'inputItem' }, newYork, item).problems;
		const inJson = readForm(described, { specifyFields: 'json', shiftID: 5, json }).problems;
		const nearMiss = { label: name, text: `must be called ${meant}: rename it, or remove it` };
		const unknown = { label: name, text: 'is not a field of this operation' };
		expect(ofItem).toEqual(meant === undefined ? [] : [nearMiss]);
		expect(inJson[0]).toEqual(meant === undefined ? unknown : nearMiss);
	});

	test('a name similar to one that is also there only gets a hint', () => {
		const item = { shiftID: 5, fromDate: '2026-03-01', FromDate: 'soon', fromDat: 'B' };
		const form = { specifyFields: 'inputItem' };
		const { problems, inputHints } = readForm(described, form, newYork, item);
		expect([problems, inputHints.unknownNames]).toEqual([[], ['FromDate', 'fromDat']]);
	});

	test.each([
		[
			'\ufefffromDate',
			"begins with an invisible character (byte order mark: in Extract from File, set 'Exclude Byte Order Mark (BOM)')",
		],
		['From\u00a0Date', 'contains an invisible character (no-break space)'],
		['fromDate\u200b', 'contains an invisible character (U+200B)'],
		['fromDate ', 'begins or ends with a space'],
	])('the message describes what is invisible in %j', (name, looks) => {
		const item = { shiftID: 5, personnel: ['A'], [name]: '2026-03-01' };
		const { problems } = readForm(described, { specifyFields: 'inputItem' }, newYork, item);
		const text = `${looks}, but must be called fromDate: rename it, or remove it`;
		expect(problems).toEqual([{ label: name, text }]);
	});

	test('the input item is read without asking the form for any field', () => {
		const asked: string[] = [];
		readItem(layoutOf(described), {
			parameter(name) {
				asked.push(name);
				return name === 'specifyFields' ? 'inputItem' : {};
			},
			json: { personnel: ['A'], shiftID: 5 },
			timeZone: newYork,
			form: new SavedForm({}),
		});
		for (const name of ['shiftID', 'fields', 'model']) expect(asked).not.toContain(name);
	});

	test.each([
		['', 'JSON', 'is empty, but must be one JSON object, in { }'],
		['[]', 'JSON', 'is "[]", but must be one JSON object, in { }'],
		['{', 'JSON', expect.stringMatching(/^is "{", but must be valid JSON: Expected property name/)],
		['text', 'JSON', 'is "text", but must be valid JSON: Unexpected token \'e\', "text"'],
		[7, 'JSON', 'is 7, but must be one JSON object, in { }'],
		[{ model: 'x' }, 'Model', 'is "x", but must be an object'],
	])('%j is refused', (json, label, text) => {
		const { problems } = readForm(described, { specifyFields: 'json', shiftID: 5, json });
		expect(problems).toMatchObject([{ label, text }]);
	});
});
