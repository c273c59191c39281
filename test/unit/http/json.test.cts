// JSON from outside: lost digits are detected, and no input can end the process.
import { holdsLostDigits, parseJson, truncate } from '../../../engine/http/json';

test.each([
	['9007199254740991', false],
	['9007199254740993', true],
	['[{"a":-9007199254740993}]', true],
	['{"a":[0.12345678901234567890,1234567890123456.5,1.5e3,1e-400]}', false],
	['1e400', true],
	['"12345678901234567890"', false],
])('%s loses digits: %j', (text, expected) => {
	expect(holdsLostDigits(parseJson(text))).toBe(expected);
});

test('JSON that is nested too deeply is not read, but brackets in text or side by side are not depth', () => {
	const nested = (levels: number) => '[1,{"a":'.repeat(levels) + '}]'.repeat(levels);
	expect(parseJson(nested(15_000).replace(':}', ':1}'))).toBeUndefined();
	const flat = JSON.stringify([...Array<object>(5000).fill([{}]), '['.repeat(5000)]);
	for (const text of [flat, nested(50).replace(':}', ':1}')])
		expect(parseJson(text)).toEqual(JSON.parse(text));
});

test.each([
	['a'.repeat(20), 20, 'a'.repeat(20)],
	['a'.repeat(21), 20, `${'a'.repeat(20)} …`],
	// Never half of a character that JavaScript counts as two.
	['🚒'.repeat(6), 19, `${'🚒'.repeat(4)} …`],
	['\ud800'.repeat(10), 20, `${'\ud800'.repeat(6)} …`],
])('%s is truncated to %d bytes', (text, bytes, expected) => {
	expect(truncate(text, bytes)).toBe(expected);
});
