// The options stand in the order of a person: Check Only, then Send Once and what belongs to it, the ETag last.
import { NodeHelpers, type INodeProperties } from 'n8n-workflow';

import { entries, titled, type Entry } from './tables.cts';

/** The options of a new node that its form offers. */
function offered({ node, resource, operation }: Entry) {
	const { description } = node;
	const values = { resource, operation: operation.name };
	const collection = description.properties.find(
		(property) =>
			property.name === 'options' &&
			NodeHelpers.displayParameter(values, property, null, description),
	)!;
	return (collection.options as INodeProperties[]).map(({ displayName }) => displayName);
}

const isWrite = ({ operation }: Entry) => !operation.route.startsWith('GET ');
const writes = titled(entries.filter(isWrite), 'engine/form/settings.ts');

test.each(writes)('%s: Check Only, then Send Once with all that belongs to it', (_, entry) => {
	expect(offered(entry).slice(0, 6)).toEqual([
		'Check Only',
		'Send Once',
		'Send Once: Remember',
		'Send Once: When Full',
		'Send Once: Items in Doubt',
		'Include',
	]);
});

test('the ETag is offered where the operation has one, last', () => {
	for (const entry of entries) {
		const expected = entry.operation.etag ? [offered(entry).length - 1] : [];
		const places = [...offered(entry).entries()].filter(([, label]) => label === 'ETag');
		expect([entry.file, places.map(([at]) => at)]).toEqual([entry.file, expected]);
	}
});
