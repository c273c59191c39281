// The ESLint rule that keeps the house: each file stands in a room that floors.mjs names, and uses only what its room
// may use.
import { dirname, join, relative, sep } from 'node:path';

import { mayUse, roomOf } from './floors.mjs';

const root = join(import.meta.dirname, '..');
const fromRoot = (path) => relative(root, path).split(sep).join('/');

/** Every way to name a module in TypeScript: the types of `import('…')` too. */
const moduleNames = [
	'ImportDeclaration > .source',
	'ExportNamedDeclaration > .source',
	'ExportAllDeclaration > .source',
	'ImportExpression > .source',
	'TSImportType > TSLiteralType > .literal',
	'TSExternalModuleReference > .expression',
	'CallExpression[callee.name="require"] > .arguments',
].join(', ');

/** @type {import('eslint').Rule.RuleModule} */
export const houseRule = {
	meta: {
		type: 'problem',
		schema: [],
		messages: {
			noRoom: '{{file}} stands in no room: name its room, and its floor, in scripts/floors.mjs.',
			notBelow: '{{room}} uses only what stands on a lower floor of scripts/floors.mjs.',
			computed: 'Write the path out: lint must see which room it leads to.',
		},
	},
	create(context) {
		const file = fromRoot(context.filename);
		const room = roomOf(file);
		if (!room) {
			return { Program: (node) => context.report({ node, messageId: 'noRoom', data: { file } }) };
		}
		return {
			[moduleNames](node) {
				if (typeof node.value !== 'string') return context.report({ node, messageId: 'computed' });
				if (!node.value.startsWith('.')) return;
				const other = roomOf(fromRoot(join(dirname(context.filename), node.value)));
				if (!other || !mayUse(room, other)) {
					context.report({ node, messageId: 'notBelow', data: { room } });
				}
			},
		};
	},
};
