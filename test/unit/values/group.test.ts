// Groups of inputs without an expression are read once for all items.
import type { IDataObject } from 'n8n-workflow';

import { text, type Operation } from '../../../engine/area';
import { layoutOf } from '../../../engine/form/layout';
import { ConstantGroups } from '../../../engine/values/group';
import { readItem } from '../../../engine/values/item';
import { operation } from './readForm';

test('what holds no expression is read once for all items, the rest for each', () => {
	const saved = { fields: { name: '={{ $json.name }}' }, options: { maxTries: 2 } };
	const constantGroups = new ConstantGroups(saved);
	const form = layoutOf(operation([text('name')]));
	const asked: string[] = [];
	const read = (name: string) =>
		readItem(form, {
			parameter(parameter) {
				asked.push(parameter);
				return { specifyFields: 'form', fields: { name }, options: { maxTries: 2 } }[parameter];
			},
			json: {},
			timeZone: 'UTC',
			constantGroups,
		});
	const results = ['A', 'B', 'C'].map((name) => read(name).values);
	expect(results.map(({ body }) => body)).toEqual([{ name: 'A' }, { name: 'B' }, { name: 'C' }]);
	expect(results.map(({ settings }) => settings.maxTries)).toEqual([2, 2, 2]);
	expect(asked.filter((name) => name === 'options')).toHaveLength(1);
	expect(asked.filter((name) => name === 'fields')).toHaveLength(3);
});

/** Reads two items of a form whose options hold no expression. */
function readTwice(described: Operation, options: IDataObject) {
	const constantGroups = new ConstantGroups({ options });
	const form = layoutOf(described);
	return ['A', 'B'].map((name) =>
		readItem(form, {
			parameter: (parameter) => ({ specifyFields: 'form', fields: { name }, options })[parameter],
			json: {},
			timeZone: 'UTC',
			constantGroups,
		}),
	);
}

test('a constant that is wrong is a problem of every item', () => {
	const items = readTwice(operation([text('name')]), { maxTries: 0 });
	expect(items.map(({ problems }) => problems.map(({ label }) => label))).toEqual([
		['Max Tries'],
		['Max Tries'],
	]);
});

test('an empty constant is left out of every item', () => {
	const described = operation([text('name')], { etag: true, request: 'GET /things' });
	const etag = [{ label: 'ETag', reason: 'empty' }];
	const items = readTwice(described, { etag: '' });
	expect(items.map(({ remarks }) => remarks.omittedFields)).toEqual([etag, etag]);
});

test('an option that was added and is null, without an expression, is empty and not left out', () => {
	const [item] = readTwice(operation([text('name')]), { maxTries: null });
	expect(item!.problems).toMatchObject([{ label: 'Max Tries' }]);
	expect(item!.remarks.omittedFields).toEqual([]);
});
