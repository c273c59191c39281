// The layers: which module of the published code may use which. Lint enforces this list.

/**
 * Layers from top to bottom, each a list of modules: a module may only use lower layers. A module is a folder or a file
 * of that name, listed with its task.
 * @type {ReadonlyArray<Readonly<Record<string, string>>>}
 */
export const layers = [
	{ nodes: "n8n's entry: one node an area", credentials: "n8n's entry: the credential" },
	{
		'engine/run': 'the pipeline of a node',
		'engine/poll': 'what changed in a list',
	},
	{ 'engine/once': 'never twice, across runs', 'engine/log': "what n8n's log says of a run" },
	{ 'engine/kinds': 'what one job does: a record, a batch, a file, the pages of a list' },
	{ 'engine/send': 'requests → responses' },
	{
		'engine/request': 'values → requests',
		'engine/items': 'what happened to each item',
	},
	{
		'engine/values': 'form or item → checked values',
		'engine/response': 'what a response means',
	},
	{
		'engine/form': "tables → n8n's forms",
		'engine/auth': 'signing in',
		'engine/n8nDatabase': "calls that n8n's database answers",
	},
	{
		'engine/area': 'the words of the tables',
		'engine/failure': 'what may go wrong',
		'engine/http': 'text, JSON, connections',
	},
	{
		'engine/n8n': "what differs by n8n's version",
		'engine/outcome': 'the words for what became of an item',
	},
];

const message = 'A module imports only from lower layers in scripts/layers.mjs.';

/**
 * @param {string[]} files
 * @param {string[]} others modules, or folders of the root, that these files may not import
 * @returns {import('eslint').Linter.Config}
 */
const without = (files, others) => {
	const names = others.map((other) => other.replace('engine/', '')).join('|');
	const regex = `^\\.{1,2}/(\\.\\./)*(engine/)?(${names})(/|\\.|$)`;
	return {
		files,
		rules: {
			'no-restricted-imports': ['error', { patterns: [{ regex, message }] }],
		},
	};
};

const outside = ['sandbox', 'scripts', 'test', 'bench'];

/** @type {import('eslint').Linter.Config[]} The sandbox shares nothing with the code it tests. */
export const layerRules = [
	without(['sandbox/**'], ['engine', 'nodes', 'credentials']),
	...layers.flatMap((layer, level) =>
		Object.keys(layer).map((module) => {
			const notBelow = layers.slice(0, level + 1).flatMap((one) => Object.keys(one));
			const others = notBelow.filter((other) => other !== module);
			return without([`${module}.ts`, `${module}/**`], [...others, ...outside]);
		}),
	),
];
