// The options stand in the order of a person: Check Only and Send Once first, what belongs to it late, the ETag last.
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

/** All but the ETag, which is the last of all. */
const beforeEtag = (labels: string[]) => labels.slice(0, labels.at(-1) === 'ETag' ? -1 : undefined);

test.each(writes)('%s: Check Only and Send Once first, what it is told late', (_, entry) => {
	const labels = offered(entry);
	expect(labels.slice(0, 3)).toEqual(['Check Only', 'Send Once', 'Include']);
	expect(beforeEtag(labels).slice(-3)).toEqual([
		'Send Once: Remember',
		'Send Once: When Full',
		'Send Once: Items in Doubt',
	]);
});

test('the ETag is offered where the operation has one, last', () => {
	for (const entry of entries) {
		const expected = entry.operation.etag ? [offered(entry).length - 1] : [];
		const places = [...offered(entry).entries()].filter(([, label]) => label === 'ETag');
		expect([entry.file, places.map(([at]) => at)]).toEqual([entry.file, expected]);
	}
});
