// Forms as people fill them in, run by n8n's own engine: with the samples, empty, with an expression.
import type { IDataObject, INodeParameters, INodeProperties } from 'n8n-workflow';

import { entries, type Entry } from '../../contract/tables.cts';
import { useSandbox } from '../../harness/useSandbox.cts';

const sandbox = useSandbox();
const { exchanges } = sandbox;

const bodies = () => sandbox.requests().flatMap(({ body }) => body);

/** Times as a person wrote them, without the offset of the workflow's time zone. */
const withoutOffsets = (record: unknown): unknown =>
	JSON.parse(JSON.stringify(record).replace(/(T\d\d:\d\d:\d\d)-0\d:00/g, '$1'));

const writing = entries
	.filter(({ operation }) => 'body' in operation && operation.body)
	.map((entry) => [entry.operation.route, entry] as const);

describe.each(writing)('%s', (_, entry) => {
	const { node, resource, operation } = entry;
	const shown = node.description.properties.filter(
		({ displayOptions }) =>
			displayOptions?.show?.resource?.includes(resource) &&
			displayOptions.show.operation?.includes(operation.name),
	);
	const chosen = { resource, operation: operation.name };
	const run = (parameters: INodeParameters, item: IDataObject = {}) =>
		sandbox.run({ node, parameters: { ...chosen, ...parameters }, items: [item] });
	const ids = Object.fromEntries((operation.ids ?? []).map(({ name }) => [name, 101]));
	const sample = () => shown.find(({ name }) => name === 'json')!.default as string;

	test('the service accepts the JSON sample', async () => {
		const record = JSON.parse(sample()) as IDataObject;
		const { error, hints } = await run({ specifyFields: 'inputItem' }, { ...ids, ...record });
		// The samples have no offset.
		const others = hints.filter((hint) => !hint.startsWith('Read as times in America/New_York'));
		expect([error?.message, others]).toEqual([undefined, []]);
		expect(bodies().map(withoutOffsets)).toEqual([record]);
	});

	test('the unchanged sample is not sent', async () => {
		const { error } = await run({ specifyFields: 'json', ...ids });
		expect(error?.message).toMatch(/^'JSON' is still the sample: replace it with your record/);
		expect(exchanges).toEqual([]);
		// Any change will do.
		await run({ specifyFields: 'json', ...ids, json: `${sample()} ` });
		expect(sandbox.requests()).toHaveLength(1);
	});

	test('the service accepts the placeholder of each JSON field', async () => {
		const inputs = shown.flatMap(({ type, name, options = [] }) =>
			type === 'collection'
				? (options as INodeProperties[]).map((input) => ({ input, collection: name }))
				: [],
		);
		for (const { input, collection } of inputs.filter(({ input }) =>
			/^e\.g\. \[?\{"/.test(input.placeholder ?? ''),
		)) {
			const given = input.placeholder!.slice('e.g. '.length);
			const needed = operation.kind === 'bulk' ? pathOf(entry) : {};
			const { error } = await run({ ...ids, ...needed, [collection]: { [input.name]: given } });
			expect([input.name, error?.message]).toEqual([input.name, undefined]);
			expect(JSON.stringify(bodies().at(-1))).toContain(JSON.stringify(JSON.parse(given)));
		}
	});
});

const pathOf = ({ operation }: Entry): INodeParameters => {
	if (operation.kind !== 'bulk') return {};
	const path = operation.pathsField === 'paths' ? '/apparatus/101/maintenance' : '/licenses/101';
	return { [operation.pathsField]: { entries: [{ path }] } };
};
