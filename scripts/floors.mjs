// The house: which room of the published code may use which. Lint (houseRule.mjs), the drawing in CONTRIBUTING.md
// (house.mts) and its test all read this one list.

/**
 * Floors from top to bottom, each a list of rooms: a room uses only what stands on a lower floor. A room is a
 * folder, or a file of that name; beside it what it does.
 * @type {ReadonlyArray<Readonly<Record<string, string>>>}
 */
export const floors = [
	{ nodes: "n8n's entry: one node an area", credentials: "n8n's entry: the credential" },
	{
		'engine/run': 'the way through the house',
		'engine/poll': 'what changed in a list',
		'engine/check': 'what the service does',
	},
	{ 'engine/once': 'never twice, across runs', 'engine/log': "what n8n's log says of a run" },
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

const rooms = floors.flatMap((floor) => Object.keys(floor));

/** It shares nothing with what it is there to test, and so uses only itself. */
const sandbox = 'sandbox';

/**
 * @param {string} path from the repository's root, with or without the file's extension
 * @returns {string | undefined} undefined when it stands in no room
 */
export function roomOf(path) {
	const name = path.replace(/\.[cm]?[jt]s$/, '');
	return [...rooms, sandbox].find((room) => name === room || name.startsWith(`${room}/`));
}

/**
 * @param {string} room
 * @param {string} other the room that it uses
 */
export function mayUse(room, other) {
	const levelOf = (name) => floors.findIndex((floor) => name in floor);
	return room === other || (room !== sandbox && levelOf(room) < levelOf(other));
}
