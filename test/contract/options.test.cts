// The options are in order of importance: Check Only first, then Send Once, the ETag last.
import { NodeHelpers, type INodeProperties } from 'n8n-workflow';

import { isWriting } from '../../engine/area';
import { entries, titled } from './tables.cts';

test.each(titled(entries, 'engine/form/settings.ts'))(
	'%s: the options about sending come first, and an ETag comes last',
	(_, { node: { description }, resource, operation }) => {
		const values = { resource, operation: operation.name };
		const collection = description.properties.find(
			(property) =>
				property.name === 'options' &&
				NodeHelpers.displayParameter(values, property, null, description),
		)!;
		const offered = (collection.options as INodeProperties[])
			.filter(({ type }) => type !== 'hidden')
			.map(({ displayName }) => displayName);
		if (isWriting(operation)) expect(offered.slice(0, 2)).toEqual(['Check Only', 'Send Once']);
		const expected = operation.etag ? [offered.length - 1] : [];
		expect([...offered.keys()].filter((at) => offered[at] === 'ETag')).toEqual(expected);
	},
);
