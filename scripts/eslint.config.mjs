// n8n's rules for community packages, its rules for nodes and credentials, and typescript-eslint for all.
import { n8nCommunityNodesPlugin } from '@n8n/eslint-plugin-community-nodes';
import n8nNodesBase from 'eslint-plugin-n8n-nodes-base';
import regexp from 'eslint-plugin-regexp';
import { globalIgnores } from 'eslint/config';
import tseslint from 'typescript-eslint';

import { layerRules } from './layers.mjs';
import { noCircle } from './noCircle.mjs';

const published = ['nodes/**/*.ts', 'credentials/**/*.ts', 'engine/**/*.ts'];
const rulesOf = (name) => n8nNodesBase.configs[name].rules;

export default tseslint.config(
	globalIgnores(['dist', 'node_modules', 'n8n-full/node_modules', 'coverage']),
	{
		files: ['**/*.{ts,mts,cts}'],
		extends: [tseslint.configs.recommendedTypeChecked],
		languageOptions: { parserOptions: { projectService: true } },
		rules: {
			'@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
			// Interfaces of n8n and the platform require promises even if there is nothing to await.
			'@typescript-eslint/require-await': 'off',
		},
	},
	{
		files: ['**/*.{ts,mts,cts}'],
		// Published code must pass n8n's own configuration too, and that forbids this.
		ignores: published,
		rules: {
			// `{ name, ...rest }` is how a field is taken out of an object.
			'@typescript-eslint/no-unused-vars': ['error', { ignoreRestSiblings: true }],
		},
	},
	{
		// Matchers such as expect.stringMatching() are typed any.
		files: ['test/**/*.cts'],
		rules: { '@typescript-eslint/no-unsafe-assignment': 'off' },
	},
	{
		files: ['{nodes,credentials,engine,sandbox}/**/*.{ts,mts,cts,js,mjs,cjs}'],
		// No comment may disable a rule.
		linterOptions: { noInlineConfig: true },
	},
	...layerRules,
	{
		files: ['**/*.{ts,mts,cts,mjs,cjs}'],
		plugins: { files: { rules: { 'no-circle': noCircle } } },
		rules: { 'files/no-circle': 'error' },
	},
	{
		// If a pattern takes quadratic time, a long text from outside blocks n8n.
		files: ['{nodes,credentials,engine,sandbox}/**/*.{ts,mts,cts,js,mjs,cjs}'],
		plugins: { regexp },
		rules: {
			'regexp/no-super-linear-backtracking': ['error', { report: 'potential' }],
			'regexp/no-super-linear-move': ['error', { report: 'potential' }],
		},
	},
	{
		files: published,
		rules: {
			'no-restricted-syntax': [
				'error',
				{
					selector: ':matches(NewExpression, CallExpression)[callee.name="RegExp"]',
					message:
						'A pattern made of a secret or of a text of the service may take forever: search for texts.',
				},
			],
		},
	},
	{ files: ['package.json', ...published], ...n8nCommunityNodesPlugin.configs.recommended },
	{
		files: ['package.json'],
		languageOptions: { parser: tseslint.parser, parserOptions: { extraFileExtensions: ['.json'] } },
		plugins: { 'n8n-nodes-base': n8nNodesBase },
		rules: rulesOf('community'),
	},
	{
		files: ['credentials/**/*.ts'],
		plugins: { 'n8n-nodes-base': n8nNodesBase },
		rules: {
			...rulesOf('credentials'),
			// This rule is for n8n's own credentials, documented at docs.n8n.io; ours has a URL.
			'n8n-nodes-base/cred-class-field-documentation-url-miscased': 'off',
		},
	},
	{
		files: ['nodes/**/*.ts'],
		plugins: { 'n8n-nodes-base': n8nNodesBase },
		rules: {
			...rulesOf('nodes'),
			// Older than NodeConnectionTypes, which the community rules require.
			'n8n-nodes-base/node-class-description-inputs-wrong-regular-node': 'off',
			'n8n-nodes-base/node-class-description-outputs-wrong': 'off',
		},
	},
);
