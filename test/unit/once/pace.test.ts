import { itemsPerNote } from '../../../engine/once/pace';

// As docs/across-runs.md has them.
test.each([
	[0, 64],
	[6400, 64],
	[10_000, 100],
	[95_001, 951],
	[100_000, 1000],
])('with %i remembered keys, %i items are noted at once', (keys, items) => {
	expect(itemsPerNote(keys)).toBe(items);
});
