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

test.each([
	['[', ']'],
	['{"a":', '}'],
	['[1,{"a":"]]]]","b":', '}]'],
])('what lies deeper than anyone can walk is not read: %s', (open, close) => {
	const nested = (levels: number) => `${open.repeat(levels)}1${close.repeat(levels)}`;
	expect(parseJson(nested(30_000))).toBeUndefined();
	expect(parseJson(nested(100))).toEqual(JSON.parse(nested(100)));
	// Brackets in text, and side by side, are not depth.
	const flat = JSON.stringify([...Array<object>(5000).fill([{}]), open.repeat(5000)]);
	expect(parseJson(flat)).toEqual(JSON.parse(flat));
});

test('text that could not be read for want of memory is not said to be no JSON', () => {
	const parse = jest.spyOn(JSON, 'parse').mockImplementationOnce(() => {
		throw new RangeError('Invalid string length');
	});
	expect(() => parseJson('[1]')).toThrow(RangeError);
	parse.mockRestore();
});

test.each([
	['a'.repeat(20), 20, 'a'.repeat(20)],
	['a'.repeat(21), 20, `${'a'.repeat(20)} …`],
	// Never half of a character that JavaScript counts as two.
	['🚒'.repeat(6), 19, `${'🚒'.repeat(4)} …`],
	['\ud800'.repeat(10), 20, `${'\ud800'.repeat(6)} …`],
])('%s is shortened to %d bytes', (text, bytes, expected) => {
	expect(truncate(text, bytes)).toBe(expected);
});
