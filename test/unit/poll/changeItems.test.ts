// How many items one execution is given.
import { portionSize } from '../../../engine/poll/changeItems';

/** An item of so many characters as JSON. */
const itemOf = (characters: number) => ({ a: 'x'.repeat(characters - '{"a":""}'.length) });

test('as many as are wanted, or as there are', () => {
	const items = Array.from({ length: 5 }, () => itemOf(10));
	expect(portionSize(items, 3)).toBe(3);
	expect(portionSize(items, 10)).toBe(5);
	expect(portionSize([], 10)).toBe(0);
});

test('no more than n8n can keep, and always one', () => {
	const million = Array.from({ length: 9 }, () => itemOf(1_000_000));
	expect(portionSize(million, 1000)).toBe(4);
	expect(portionSize([itemOf(5_000_000), itemOf(10)], 1000)).toBe(1);
	expect(portionSize([itemOf(3_999_999), itemOf(5_000_000), itemOf(10)], 1000)).toBe(2);
});
