import fc from 'fast-check';

import { placesOf } from '../../../engine/http/textSearch';

const runs = (maxCount: number) =>
	fc
		.array(
			fc.tuple(
				fc.constantFrom(' ', '+', '%20', 'é', '\\', 'a', 'ab', 'b'),
				fc.integer({ min: 1, max: maxCount }),
			),
			{ minLength: 1, maxLength: 5 },
		)
		.map((all) => all.map(([part, count]) => part.repeat(count)).join(''));

test('a part is found at each place where the text goes on with it', () => {
	fc.assert(
		fc.property(runs(3), runs(9), (part, text) => {
			const expected = Array.from(text, (_, at) => at).filter((at) => text.startsWith(part, at));
			expect([...placesOf(part, text)]).toEqual(expected);
		}),
		{ numRuns: 1000 },
	);
});

test('the comparisons grow as the lengths, whatever repeats itself in the part and in the text', () => {
	let comparisons = 0;
	const counting = (text: string) =>
		new Proxy<ArrayLike<string>>(Array.from(text), {
			get(target, name) {
				if (name !== 'length') comparisons++;
				return Reflect.get(target, name) as unknown;
			},
		});
	fc.assert(
		fc.property(runs(200), runs(1000), (part, text) => {
			comparisons = 0;
			expect([...placesOf(counting(part), text)].length).toBeLessThanOrEqual(text.length);
			expect(comparisons).toBeLessThanOrEqual(4 * (part.length + text.length));
		}),
		{ numRuns: 300 },
	);
});
