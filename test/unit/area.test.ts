// What must not compile: `npm run lint` fails when one of these lines does.
import { choice, id, operation, text } from '../../engine/area';

const common = {
	kind: 'empty',
	name: 'archive',
	label: 'Archive',
	action: 'Archive a part',
	description: 'Archive one part',
	headerProfile: 'A',
	etag: false,
	output: { archived: true },
	successStatus: 204,
} as const;

test("an operation's IDs are those of its request line, in its order", () => {
	const request = 'DELETE /areas/{areaID}/parts/{partID}';
	const archive = operation({ ...common, request, ids: [id('areaID'), id('partID')] });
	expect(archive.ids?.map(({ name }) => name)).toEqual(['areaID', 'partID']);

	// @ts-expect-error another name
	operation({ ...common, request, ids: [id('areaID'), id('part')] });
	// @ts-expect-error another order
	operation({ ...common, request, ids: [id('partID'), id('areaID')] });
	// @ts-expect-error one is missing
	operation({ ...common, request, ids: [id('areaID')] });
	// @ts-expect-error all are missing
	operation({ ...common, request });
	// @ts-expect-error one too many
	operation({ ...common, request: 'DELETE /areas/{areaID}', ids: [id('areaID'), id('partID')] });
	// @ts-expect-error none is asked for
	operation({ ...common, request: 'DELETE /areas', ids: [id('areaID')] });
	// @ts-expect-error not a number
	operation({ ...common, request: 'DELETE /areas/{areaID}', ids: [text('areaID')] });
});

test('an attribute of a field is one that tables know', () => {
	expect(text('name', { label: 'Name' }).label).toBe('Name');
	// @ts-expect-error misspelled
	text('name', { lable: 'Name' });
	// @ts-expect-error misspelled, beside one that is known
	choice('op', { choices: [{ value: 'replace', name: 'Replace' }], defualt: 'replace' });
});
