// JSON from outside: it is seen when digits are lost, and nothing in it can end the process.
import { holdsLostDigits, parseJson, truncate } from '../../../engine/http/json';

test.each([
	['9007199254740991', false],
	['9007199254740993', true],
	['[{"a":-9007199254740993}]', true],
	['{"a":[0.12345678901234567890,1234567890123456.5,1.5e3,1e-400]}', false],
	['1e400', true],
	['"12345678901234567890"', false],
])('whether digits of %s are lost: %j', (text, expected) => {
	expect(holdsLostDigits(parseJson(text))).toBe(expected);
});

describe('depth', () => {
	const nested = (levels: number, open: string, close: string) =>
		open.repeat(levels) + '1' + close.repeat(levels);

	test.each([
		['[', ']'],
		['{"a":', '}'],
		['[1,{"a":"]]]]","b":', '}]'],
	])('what lies deeper than anyone can walk is not read: %s', (open, close) => {
		expect(parseJson(nested(30_000, open, close))).toBeUndefined();
		const usual = parseJson(nested(100, open, close));
		expect(usual).toEqual(JSON.parse(nested(100, open, close)));
	});

	test('brackets in text, and side by side, are not depth', () => {
		const text = JSON.stringify([...Array<object>(5000).fill([{}]), '['.repeat(5000)]);
		expect(parseJson(text)).toEqual(JSON.parse(text));
	});
});

test('text that could not be read for want of memory is not said to be no JSON', () => {
	const parse = jest.spyOn(JSON, 'parse').mockImplementationOnce(() => {
		throw new RangeError('Invalid string length');
	});
	expect(() => parseJson('[1]')).toThrow(RangeError);
	parse.mockRestore();
});

describe('shortened', () => {
	test.each([
		['a'.repeat(20), 20, 'a'.repeat(20)],
		['a'.repeat(21), 20, `${'a'.repeat(20)} …`],
		// Never half of a character that JavaScript counts as two.
		['🚒'.repeat(6), 19, `${'🚒'.repeat(4)} …`],
		['\ud800'.repeat(10), 20, `${'\ud800'.repeat(6)} …`],
	])('%s to %d bytes', (text, bytes, expected) => {
		expect(truncate(text, bytes)).toBe(expected);
	});
});
