// The path of Agency Records Request: every accepted path leads below the Base URL and is sent as given.
import fc from 'fast-check';

import { address } from '../../../engine/area';
import { SavedForm } from '../../../engine/values/formInputs';
import { readScalar } from '../../../engine/values/scalars';

const field = address('path');
const reading = { timeZone: 'UTC', datesInRows: 'iso', form: new SavedForm({}) } as const;
const isAccepted = (path: string) => 'value' in readScalar(path, field, reading);

const pieces = [...'/.\\@:?# \t\0aé', '%2e', '%2F', 'h.com'];

test("no accepted path leads elsewhere according to n8n's URL parser", () => {
	const piece = fc.oneof(fc.constantFrom(...pieces), fc.string({ unit: 'grapheme', maxLength: 2 }));
	const path = fc.array(piece, { maxLength: 8 }).map((parts) => `/${parts.join('')}`);
	let accepted = 0;
	fc.assert(
		fc.property(path, (given) => {
			fc.pre(isAccepted(given));
			accepted++;
			const { origin, pathname, username, hash, href } = new URL(`https://a.example/base${given}`);
			expect([origin, username, hash]).toEqual(['https://a.example', '', '']);
			const [segments] = given.split('?');
			expect(pathname.split('/')).toHaveLength(`/base${segments}`.split('/').length);
			expect(href.startsWith('https://a.example/base/')).toBe(true);
		}),
		{ numRuns: 3000, maxSkipsPerRun: 1000 },
	);
	expect(accepted).toBeGreaterThan(2000);
});

test.each([
	'/agencyshifts/shifts/101',
	'/agencyshifts/shifts?name=A%20B&year=2026',
	'/v1/a.b/c:d@e/%C3%A9/é',
	'/a?path=//x/../y/',
])('%s is accepted', (path) => expect(isAccepted(path)).toBe(true));

test.each([
	'https://other.example/x',
	'//other.example/x',
	'other',
	'@other.example/',
	'/\\other.example',
	'/a//b',
	'/a/%2E%2e/b',
	'/a#b',
	'/a b',
	'/a/\u0000',
	'/a?x=1 2',
	'/a/',
	'/',
	'?a=1',
])('%j is refused', (path) => expect(isAccepted(path)).toBe(false));

test.each([
	'/auth/Authorize.php',
	'/authpass/Token.php',
	'/AuthToken/Token.php?x=1',
	'/%61uth/Authorize.php',
	'/auth%2FAuthorize.php',
	'/refreshtoken/Token.php',
])('%s, which returns a token, is refused', (path) => expect(isAccepted(path)).toBe(false));

const toRead = address('path', { mayBeEmpty: true });
const problemOf = (path: string, of: typeof field = field) => {
	const checked = readScalar(path, of, reading);
	return 'problem' in checked ? checked.problem : undefined;
};

describe('a part from an expression that gives nothing', () => {
	test.each([
		['/units//mileage', 'as part 2, which is empty'],
		['/units/', 'as part 2, which is empty'],
		['/units/%20/mileage', 'as part 2, which is empty'],
		['/units/%C2%A0', 'as part 2, which is empty'],
		['/units/undefined/mileage', 'as part 2, which is undefined'],
		['/units/null', 'as part 2, which is null'],
		['/units/NaN', 'as part 2, which is NaN'],
		['/units/%5Bobject%20Object%5D', 'as part 2, which is [object Object]'],
		['/units/[object Object]', 'as part 2, which is [object Object]'],
		['/units?unitID=', "for 'unitID', which is empty"],
		['/units?a=1&unitID=+', "for 'unitID', which is empty"],
		['/units?unitID=%20', "for 'unitID', which is empty"],
		['/units?unitID=undefined', "for 'unitID', which is undefined"],
		['/units?unitID=null&a=1', "for 'unitID', which is null"],
		['/units?', 'after ?, which is empty'],
		['/units?undefined', 'after ?, which is undefined'],
	])('%s is refused, and the message says where', (path, where) => {
		expect(problemOf(path)).toBe(`must have a value ${where}`);
	});

	test.each(['/units?unitID=', '/units?unitID=%20', '/units?'])('a read may have %s', (path) => {
		expect(problemOf(path, toRead)).toBeUndefined();
	});

	test.each(['/units?unitID=undefined', '/units?unitID=NaN', '/units/%20'])('but not %s', (path) =>
		expect(problemOf(path, toRead)).toMatch(/^must have a value /),
	);

	test.each([
		'/units/undefined-unit',
		'/units/nullable?archived&a=1',
		'/a?x=undefined-1',
		'/u/100%',
	])('%s counts as a value', (path) => expect(problemOf(path)).toBeUndefined());
});

test.each(['/a/..%2Fb', '/a/%2e%2e%5Cb', '/a/\u200b7', '/a/%2E'])('%j leads elsewhere', (path) =>
	expect(problemOf(path)).toMatch(/^must begin with one \//),
);
