import { dateTime, id, integer, text } from '../../../engine/area';
import { newYork, operation, readForm } from './readForm';

describe('a record without any value', () => {
	const described = operation(
		[text('name', { example: 'A' }), dateTime('fromDate'), text('stationNumber')],
		{ ids: [id('shiftID')] },
	);
	const missing = { label: 'Shift ID', text: 'is required and not filled in' };
	const known = 'Its fields are name, fromDate, stationNumber';
	const advice =
		". Rename the columns, or set 'Specify Fields' to 'Using Fields Below' and drag each onto its field";

	test('of the form, beside the ID that is missing too', () => {
		expect(readForm(described, {}).problems).toEqual([
			missing,
			{ label: '', text: 'No field has a value: fill in at least one' },
		]);
	});

	test.each([
		[
			{ crew: 'A', station: '4' },
			"None of the item's columns (crew, station (did you mean stationNumber?)) is a field of this operation. ",
		],
		[{}, 'The item has no value for any field of this operation. '],
		[
			{ name: null, station: '4' },
			'The item has no value for any field of this operation; not known: station (did you mean stationNumber?). ',
		],
	])('of the input item: %j', (item, text) => {
		const { problems } = readForm(described, { specifyFields: 'inputItem' }, newYork, item);
		const withID = known.replace('are', 'are shiftID,');
		const advised = 'station' in item ? advice : '';
		expect(problems).toEqual([missing, { label: '', text: `${text}${withID}${advised}` }]);
	});

	test.each([
		['{}', 'The JSON has no value for any field of this operation. '],
		[
			'{"from":"2026-03-01","station":null}',
			"None of the JSON's names (from (did you mean fromDate?), station (did you mean stationNumber?)) is a field of this operation. ",
		],
	])('of JSON: %s', (json, text) => {
		const { problems } = readForm(described, { specifyFields: 'json', shiftID: 5, json });
		expect(problems).toEqual([{ label: '', text: `${text}${known}` }]);
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
