// How queries are written for services that decided differently what the API spec leaves open.
import { integer, text } from '../../../engine/area';
import { filterTextOf, queryToSend } from '../../../engine/form/filter';
import {
	conventionsOf,
	defaultConventions,
	type ServiceConventions,
} from '../../../engine/form/serviceConventions';

const columns = [text('city'), integer('zip')];
const city = { field: 'city', operator: 'eq', value: 'Springfield' };
const zip = { field: 'zip', operator: 'gt', value: '60000' };

const written = (changes: Partial<ServiceConventions>, ...conditions: Array<typeof city>) =>
	filterTextOf(conditions, columns, { ...defaultConventions, ...changes });

test.each<[Partial<ServiceConventions>, string]>([
	[{}, 'city eq "Springfield" and zip gt "60000"'],
	[{ filterNumbers: 'bare' }, 'city eq "Springfield" and zip gt 60000'],
	[{ filterSyntax: 'singleQuotes' }, "city eq 'Springfield' and zip gt '60000'"],
	[{ filterSyntax: 'colons' }, 'city:eq:Springfield;zip:gt:60000'],
])('%j', (changes, expected) => {
	expect(written(changes, city, zip)).toBe(expected);
});

test('a value cannot end its own quotes', () => {
	const value = `a' or "b\\`;
	expect(written({}, { ...city, value })).toBe(`city eq "a' or \\"b\\\\"`);
	expect(written({ filterSyntax: 'singleQuotes' }, { ...city, value })).toBe(
		`city eq 'a'' or "b\\'`,
	);
	for (const end of [':', ';']) {
		expect(() => written({ filterSyntax: 'colons' }, { ...city, value: `a${end}b` })).toThrow(
			/colon or a semicolon, "a.b"/,
		);
	}
});

test('only numbers are written without quotes, and only in columns of numbers', () => {
	const bare = { filterNumbers: 'bare' } as const;
	expect(written(bare, { ...zip, value: '6 or 1' })).toBe('zip gt "6 or 1"');
	expect(written(bare, { ...city, value: '60000' })).toBe('city eq "60000"');
	expect(written(bare, { ...zip, value: '-1.5' })).toBe('zip gt -1.5');
});

describe("'Changes Since'", () => {
	const sent = (
		changesSince: string,
		changesSinceFormat: ServiceConventions['changesSinceFormat'],
	) =>
		queryToSend({ changesSince }, columns, { ...defaultConventions, changesSinceFormat })
			.changesSince;

	test.each([
		['iso', '2026-03-01T07:00:00.000Z'],
		['sql', '2026-03-01 07:00:00'],
		['date', '2026-03-01'],
		['us', '03/01/2026'],
		['dayFirst', '01/03/2026'],
		['unix', '1772348400'],
	] as const)('%s', (format, expected) => {
		expect(sent('2026-03-01T02:00:00-05:00', format)).toBe(expected);
	});

	test.each(['2026-03-01T07:00:00Z', '2026-03-01T07:00:00.1234567Z'])(
		'%s, which is in UTC already, keeps its digits',
		(given) => {
			expect(sent(given, 'iso')).toBe(given);
		},
	);

	test('a fraction that is cut asks for a little more, and not for less', () => {
		expect(sent('2026-03-01T02:00:00.123999-05:00', 'iso')).toBe('2026-03-01T07:00:00.123Z');
	});

	test.each(['March', '2026-03-01', '2026-03-01T02:00:00', '2026-99-01T02:00:00Z', ''])(
		'%j, which is no point in time, is sent as it is',
		(given) => {
			expect(sent(given, 'unix')).toBe(given);
		},
	);
});

test.each([
	['true', 'oneZero', '1'],
	['false', 'yesNo', 'no'],
	['false', 'trueFalse', 'false'],
	['all', 'oneZero', 'all'],
] as const)("'Show Archived' %s, as %s: %s", (showArchived, archivedValues, expected) => {
	const query = queryToSend({ showArchived }, columns, { ...defaultConventions, archivedValues });
	expect(query).toEqual({ showArchived: expected });
});

describe('the credential', () => {
	test('without these settings, or with the switch off, has the defaults', () => {
		expect(conventionsOf({})).toEqual(defaultConventions);
		expect(conventionsOf({ setConventions: false, offsetBase: '1' })).toEqual(defaultConventions);
	});

	test('with the switch on counts', () => {
		const { offsetBase, filterSyntax } = conventionsOf({ setConventions: true, offsetBase: '1' });
		expect([offsetBase, filterSyntax]).toEqual(['1', 'doubleQuotes']);
	});

	test('names all values that the form does not offer', () => {
		const odd = { setConventions: true, filterSyntax: 'xml', pageSize: 0, archivedValues: 'yesNo' };
		expect(() => conventionsOf(odd)).toThrow(/: 'Page Size', 'Filter Syntax'$/);
	});
});
