// Groups of inputs without an expression are read once for all items.
import { text } from '../../../engine/area';
import { layout } from '../../../engine/form/layout';
import { ConstantGroups } from '../../../engine/values/group';
import { readItem } from '../../../engine/values/item';
import { operation } from './readForm';

test('what holds no expression is read once for all items, the rest for each', () => {
	const saved = { fields: { name: '={{ $json.name }}' }, options: { maxTries: 2 } };
	const constants = new ConstantGroups(saved);
	const form = layout(operation([text('name')]));
	const asked: string[] = [];
	const read = (name: string) =>
		readItem(form, {
			parameter(parameter) {
				asked.push(parameter);
				return { specifyFields: 'form', fields: { name }, options: { maxTries: 2 } }[parameter];
			},
			json: {},
			zone: 'UTC',
			constants,
		});
	const results = ['A', 'B', 'C'].map((name) => read(name).values);
	expect(results.map(({ body }) => body)).toEqual([{ name: 'A' }, { name: 'B' }, { name: 'C' }]);
	expect(results.map(({ settings }) => settings.maxTries)).toEqual([2, 2, 2]);
	expect(asked.filter((name) => name === 'options')).toHaveLength(1);
	expect(asked.filter((name) => name === 'fields')).toHaveLength(3);
});

test('a constant that is wrong is a problem of every item', () => {
	const options = { maxTries: 0 };
	const constants = new ConstantGroups({ options });
	const form = layout(operation([text('name')]));
	for (const name of ['A', 'B']) {
		const { problems } = readItem(form, {
			parameter: (parameter) => ({ specifyFields: 'form', fields: { name }, options })[parameter],
			json: {},
			zone: 'UTC',
			constants,
		});
		expect(problems.map(({ label }) => label)).toEqual(['Max Tries']);
	}
});

test('an empty constant is left out of every item', () => {
	const options = { etag: '' };
	const constants = new ConstantGroups({ options });
	const form = layout(operation([text('name')], { etag: true, request: 'GET /things' }));
	for (const name of ['A', 'B']) {
		const { leftOut } = readItem(form, {
			parameter: (parameter) => ({ specifyFields: 'form', fields: { name }, options })[parameter],
			json: {},
			zone: 'UTC',
			constants,
		});
		expect(leftOut.fields).toEqual([{ label: 'ETag', why: 'empty' }]);
	}
});
