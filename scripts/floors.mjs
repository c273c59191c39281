// The house: which room of the published code may use which. Lint (eslint.config.mjs), the drawing in
// CONTRIBUTING.md and its test all read this one list.

/**
 * Floors from top to bottom, each a list of rooms: a room uses only what stands on a lower floor. A room is a
 * folder, or a file of that name; beside it what it does.
 * @type {ReadonlyArray<Readonly<Record<string, string>>>}
 */
export const floors = [
	{ nodes: "n8n's entry: one node an area", credentials: "n8n's entry: the credential" },
	{ 'engine/run': 'the way through the house', 'engine/poll': 'what changed in a list' },
	{ 'engine/once': 'never twice, across runs' },
	{ 'engine/kinds': 'what one job does' },
	{ 'engine/answer': "the service's answer → data" },
	{ 'engine/send': 'requests → answers' },
	{ 'engine/request': 'values → requests', 'engine/items': 'what became of each item' },
	{ 'engine/values': 'form or item → checked values' },
	{ 'engine/form': "tables → n8n's forms", 'engine/auth': 'signing in' },
	{
		'engine/area': 'the words of the tables',
		'engine/n8n': "what differs by n8n's version",
		'engine/failure': 'what may go wrong',
		'engine/http': 'text, JSON, connections',
	},
];

/** What is not published, and never used by what is. */
const outside = ['bench', 'runner', 'runtime', 'sandbox', 'scripts', 'test'];

/** How a file of a room names a room, from its place: `../send/policy`, `../../engine/run`. */
const pathTo = (room, isFolder) => {
	const inEngine = room.replace(/^engine\//, '');
	return isFolder ? `(\\.\\./)+(engine/)?${inEngine}(/|$)` : `\\./${inEngine}(/|$)`;
};

const restrict = (files, message, regexes) => ({
	files,
	rules: {
		'no-restricted-imports': ['error', { patterns: [{ regex: regexes.join('|'), message }] }],
	},
});

/**
 * ESLint's configuration: entries for each room.
 * @type {import('eslint').Linter.Config[]}
 */
export const houseRules = [
	...floors.flatMap((floor, level) =>
		Object.keys(floor).flatMap((room) => {
			const upstairs = floors.slice(0, level + 1).flatMap((rooms) => Object.keys(rooms));
			const forbidden = [...upstairs.filter((other) => other !== room), ...outside];
			const message = `${room} uses only what stands on a lower floor: see CONTRIBUTING.md.`;
			return [
				restrict(
					[`${room}/**/*.ts`],
					message,
					forbidden.map((other) => `^${pathTo(other, true)}`),
				),
				restrict(
					[`${room}.ts`],
					message,
					forbidden.map((other) => `^(${pathTo(other, false)}|${pathTo(other, true)})`),
				),
			];
		}),
	),
	restrict(['sandbox/**/*.mts'], 'The sandbox shares nothing with what it is there to test.', [
		'/(nodes|credentials|engine|runner|test|bench)/',
	]),
];
