// The ESLint rule that keeps the layers: each file belongs to a module that layers.mjs names, and imports only what its
// module may use.
import { dirname, join, relative, sep } from 'node:path';

import { mayUse, moduleOf } from './layers.mjs';

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
export const layersRule = {
	meta: {
		type: 'problem',
		schema: [],
		messages: {
			noModule: '{{file}} belongs to no module: add its module to a layer in scripts/layers.mjs.',
			notBelow: '{{module}} may import only from lower layers in scripts/layers.mjs.',
			computed: 'Write the path as a literal: lint must see which module it leads to.',
		},
	},
	create(context) {
		const file = fromRoot(context.filename);
		const module = moduleOf(file);
		if (!module) {
			return { Program: (node) => context.report({ node, messageId: 'noModule', data: { file } }) };
		}
		return {
			[moduleNames](node) {
				if (typeof node.value !== 'string') return context.report({ node, messageId: 'computed' });
				if (!node.value.startsWith('.')) return;
				const other = moduleOf(fromRoot(join(dirname(context.filename), node.value)));
				if (!other || !mayUse(module, other)) {
					context.report({ node, messageId: 'notBelow', data: { module } });
				}
			},
		};
	},
};
