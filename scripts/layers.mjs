// The layers: which module of the published code may use which. Lint (layersRule.mjs) and its test read this list.

/**
 * Layers from top to bottom, each a list of modules: a module uses only what stands in a lower layer. A module is a
 * folder, or a file of that name; next to it is what it does.
 * @type {ReadonlyArray<Readonly<Record<string, string>>>}
 */
export const layers = [
	{ nodes: "n8n's entry: one node an area", credentials: "n8n's entry: the credential" },
	{
		'engine/run': 'the pipeline of a node',
		'engine/poll': 'what changed in a list',
		'engine/check': 'what the service does',
	},
	{ 'engine/once': 'never twice, across runs', 'engine/log': "what n8n's log says of a run" },
	{ 'engine/kinds': 'what one job does' },
	{ 'engine/send': 'requests → responses' },
	{
		'engine/answer': 'what a response means',
		'engine/request': 'values → requests',
		'engine/items': 'what happened to each item',
	},
	{ 'engine/values': 'form or item → checked values' },
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

const modules = layers.flatMap((layer) => Object.keys(layer));

/** It shares nothing with what it is there to test, and so uses only itself. */
const sandbox = 'sandbox';

/**
 * @param {string} path from the repository's root, with or without the file's extension
 * @returns {string | undefined} undefined when it stands in no module
 */
export function moduleOf(path) {
	const name = path.replace(/\.[cm]?[jt]s$/, '');
	return [...modules, sandbox].find((module) => name === module || name.startsWith(`${module}/`));
}

/**
 * @param {string} module
 * @param {string} other the module that it uses
 */
export function mayUse(module, other) {
	const levelOf = (name) => layers.findIndex((layer) => name in layer);
	return module === other || (module !== sandbox && levelOf(module) < levelOf(other));
}
