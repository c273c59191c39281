// The options stand in the order of a person: Send Once first, what is dangerous late, the ETag last, what needs another
// option only once that is there.
import { NodeHelpers, type INodeProperties } from 'n8n-workflow';

import { entries, titled, type Entry } from './tables';

/** The options of a new node that its form offers. */
function offered({ node, resource, operation }: Entry, added: Record<string, unknown> = {}) {
	const { description } = node;
	const values = { resource, operation: operation.name };
	const options = description.properties.find(
		(property) =>
			property.name === 'options' &&
			NodeHelpers.displayParameter(values, property, null, description),
	)!.options as INodeProperties[];
	return options
		.filter((option) =>
			NodeHelpers.displayParameter(added as never, option, null, description, values),
		)
		.map(({ displayName }) => displayName);
}

const isWrite = ({ operation }: Entry) => !operation.route.startsWith('GET ');
const writes = titled(entries.filter(isWrite), 'engine/form/settings.ts');

/** All but the ETag, which is the last of all. */
const beforeEtag = (labels: string[]) => labels.slice(0, labels.at(-1) === 'ETag' ? -1 : undefined);

test.each(writes)('%s: Send Once first', (_, entry) => {
	const labels = offered(entry);
	expect(labels.slice(0, 2)).toEqual(['Send Once', 'Include']);
	expect(labels.filter((label) => label.startsWith('Send Once: '))).toEqual([]);
});

test.each(writes)('%s: what Send Once is told comes with its key', (_, entry) => {
	const labels = offered(entry, { sendOnceKey: '={{ $json.row }}' });
	expect(labels.filter((label) => label.startsWith('Send Once: '))).toHaveLength(3);
	expect(beforeEtag(labels).at(-1)).toBe('Send Once: Items in Doubt');
	expect(offered(entry, { sendOnceKey: '' })).toEqual(offered(entry));
});

test('the ETag is offered wherever the API spec documents it, last', () => {
	for (const entry of entries) {
		const expected = entry.operation.etag ? [offered(entry).length - 1] : [];
		const places = [...offered(entry).entries()].filter(([, label]) => label === 'ETag');
		expect([entry.file, places.map(([at]) => at)]).toEqual([entry.file, expected]);
	}
	expect(entries.filter(({ operation }) => operation.etag)).toHaveLength(10);
});
