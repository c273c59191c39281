// How queries are written for services that decided differently what the API spec leaves open.
import { queryToSend } from '../../../engine/form/filter';
import {
	conventionsOf,
	defaultConventions,
	type ServiceConventions,
} from '../../../engine/form/serviceConventions';

describe("'Changes Since'", () => {
	const sent = (
		changesSince: string,
		changesSinceFormat: ServiceConventions['changesSinceFormat'],
	) => queryToSend({ changesSince }, { ...defaultConventions, changesSinceFormat }).changesSince;

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
	const query = queryToSend({ showArchived }, { ...defaultConventions, archivedValues });
	expect(query).toEqual({ showArchived: expected });
});

describe('the credential', () => {
	test('without these settings, or with the switch off, has the defaults', () => {
		expect(conventionsOf({})).toEqual(defaultConventions);
		expect(conventionsOf({ setConventions: false, offsetBase: '1' })).toEqual(defaultConventions);
	});

	test('with the switch on counts', () => {
		const { offsetBase, pageSize } = conventionsOf({ setConventions: true, offsetBase: '1' });
		expect([offsetBase, pageSize]).toEqual(['1', 100]);
	});

	test('names all values that the form does not offer', () => {
		const odd = { setConventions: true, offsetBase: '2', pageSize: 0, archivedValues: 'yesNo' };
		expect(() => conventionsOf(odd)).toThrow(/: 'Page Size', 'Offset Counts From'$/);
	});
});
