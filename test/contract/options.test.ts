// The options stand in the order of a person: Send Once first, what is dangerous last, what needs another option only
// once that is there.
import { NodeHelpers, type INodeProperties } from 'n8n-workflow';

import { entries, titled, type Entry } from './tables';

/** The options of a new node that its form offers. */
function offered({ node, resource, operation }: Entry, added: Record<string, unknown> = {}) {
	const { description } = node;
	const at = { typeVersion: description.defaultVersion ?? 1 };
	const values = { resource, operation: operation.name };
	const options = description.properties.find(
		(property) =>
			property.name === 'options' &&
			NodeHelpers.displayParameter(values, property, at, description),
	)!.options as INodeProperties[];
	return options
		.filter((option) =>
			NodeHelpers.displayParameter(added as never, option, at, description, values),
		)
		.map(({ displayName }) => displayName);
}

const isWrite = ({ operation }: Entry) => !operation.request.startsWith('GET ');
const writes = titled(entries.filter(isWrite), 'engine/form/settings.ts');

test.each(writes)('%s: Send Once first, what is dangerous last', (_, entry) => {
	const labels = offered(entry);
	expect(labels.slice(0, 2)).toEqual(['Send Once', 'Include']);
	expect(labels.at(-1)).toBe('Allow When Retried');
	expect(labels.filter((label) => label.startsWith('Send Once: '))).toEqual([]);
});

test.each(writes)('%s: what Send Once is told comes with its key', (_, entry) => {
	const labels = offered(entry, { sendOnceKey: '={{ $json.row }}' });
	expect(labels.filter((label) => label.startsWith('Send Once: '))).toHaveLength(4);
	expect(labels.slice(-2)).toEqual(['Send Once: Send Anyway', 'Allow When Retried']);
	expect(offered(entry, { sendOnceKey: '' })).toEqual(offered(entry));
});

test('a record that is made new has no version: no ETag is offered', () => {
	const withEtag = entries.filter((entry) => offered(entry).includes('ETag'));
	const requests = withEtag.map(({ operation }) => operation.request);
	expect(requests).toContain('PATCH /agencylicenses/licenses');
	expect(requests).toContain('GET /agencyshifts/shifts/{shiftID}');
	expect(requests.filter((request) => /^POST [^{]*$/.test(request))).toEqual([]);
});
