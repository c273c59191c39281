// The name that was meant, and none where that would be a guess.
import { didYouMean } from '../../../engine/values/didYouMean';

const known = ['name', 'fromDate', 'toDate', 'stationNumber', 'zip'];

test.each([
	// Written another way.
	['Name', 'name'],
	['station_number', 'stationNumber'],
	['Station Number', 'stationNumber'],
	['FROM-DATE', 'fromDate'],
	// A part of it, or more than it.
	['station', 'stationNumber'],
	['from', 'fromDate'],
	['shiftName', 'name'],
	['zipCode', 'zip'],
	// Mistyped.
	['fromDaet', 'fromDate'],
	['stationNumbr', 'stationNumber'],
	['nmae', undefined],
	['naem', undefined],
	['nam', 'name'],
	['nane', 'name'],
	// Two of them, or none.
	['date', undefined],
	['shift', undefined],
	['start', undefined],
	['to', undefined],
	['', undefined],
	['Ж', undefined],
])('%s: %s', (given, meant) => {
	expect(didYouMean(given, known)).toBe(meant);
});

test('a name without end is not compared letter by letter', () => {
	expect(didYouMean(`fromDate${'x'.repeat(1_000_000)}`, known)).toBeUndefined();
});
