// JSON from outside: no digit of an ID is lost, and nothing in it can end the process.
import fc from 'fast-check';

import { parseJson, truncate } from '../../../engine/http/json';

describe('whole numbers beyond 2^53 keep their digits, as text', () => {
	test.each([
		['9007199254740991', 9007199254740991],
		['9007199254740993', '9007199254740993'],
		['-9007199254740993', '-9007199254740993'],
		[
			'[12345678901234567890,98765432109876543210]',
			['12345678901234567890', '98765432109876543210'],
		],
		[
			'{"said":"\\"12345678901234567890\\\\","id":12345678901234567890}',
			{ said: '"12345678901234567890\\', id: '12345678901234567890' },
		],
		['["\\\\\\"",12345678901234567890]', ['\\"', '12345678901234567890']],
		['["\\u0022 12345678901234567890"]', ['" 12345678901234567890']],
		// Fractions and exponents are measures, not IDs; only what no number can hold is kept as text.
		['0.12345678901234567890', 0.12345678901234568],
		['1234567890123456.5', 1234567890123456.5],
		['1.5e3', 1500],
		['1e22', 1e22],
		['1e400', '1e400'],
		['[-1E+400]', ['-1E+400']],
		['1e-400', 0],
	])('%s', (text, expected) => {
		expect(parseJson(text)).toEqual(expected);
	});

	test.each([
		'012345678901234567890',
		'12345678901234567890x',
		'12345678901234567890 12345678901234567890',
	])('what is not JSON does not become JSON by it: %s', (text) => {
		expect(parseJson(text)).toBeUndefined();
	});

	test('all else is as JSON.parse gives it', () => {
		const asText = (_: string, value: unknown) =>
			typeof value === 'number' && Number.isInteger(value) && Math.abs(value) >= 2 ** 53
				? // From 1e21 on JSON writes an exponent.
					Math.abs(value) < 1e21
					? String(value)
					: value
				: value;
		fc.assert(
			fc.property(fc.jsonValue(), fc.boolean(), (value, isSpaced) => {
				const text = JSON.stringify(value, null, isSpaced ? 2 : 0);
				const expected = JSON.parse(JSON.stringify(value, asText)) as unknown;
				expect(parseJson(text)).toEqual(expected);
			}),
			{ numRuns: 1000 },
		);
	});
});

describe('size', () => {
	const megabytes = (piece: string) => piece.repeat((4 * 1024 * 1024) / piece.length);

	test.each([
		['text', `"${megabytes('abcdefgh')}"`],
		['text of escapes', `"${megabytes('\\"\\\\')}"`],
		['text that ends in escapes', `"${megabytes('\\\\')}"`],
		['digits', megabytes('1')],
		['blanks', megabytes(' ') + '1'],
	])('4 MB of %s beside a long number', (_, value) => {
		const [first, second] = parseJson(`[${value},12345678901234567890]`) as unknown[];
		expect(first).toEqual(/^\d/.test(value) ? value : JSON.parse(value));
		expect(second).toBe('12345678901234567890');
	});

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

	test('to 500 bytes where nothing else is said', () => {
		expect(truncate('a'.repeat(500))).toBe('a'.repeat(500));
		expect(truncate('a'.repeat(501))).toBe(`${'a'.repeat(500)} …`);
	});
});
