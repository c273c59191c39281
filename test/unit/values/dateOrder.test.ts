import { dateTime } from '../../../engine/area';
import { operation, readSaved } from './readForm';

describe('an end before its beginning is told, and sent', () => {
	const described = operation([
		dateTime('fromDate'),
		dateTime('toDate', { startField: 'fromDate' }),
	]);
	const read = (fromDate: string | undefined, toDate: string | undefined) => {
		const { problems, remarks } = readSaved(described, { fields: { fromDate, toDate } }, {});
		expect(problems).toEqual([]);
		return remarks.reversedDates;
	};
	const reversed = [{ endLabel: 'To Date', startLabel: 'From Date' }];

	test.each([
		['2026-03-02T07:00:00', '2026-03-01T07:00:00', reversed],
		['2026-03-02T07:00:00-05:00', '2026-03-02T11:59:00Z', reversed],
		['2026-03-02T07:00:00-05:00', '2026-03-02T12:00:00Z', []],
		['2026-03-01', '2026-03-02', []],
		['2026-03-01', undefined, []],
		[undefined, '2026-03-01', []],
	])('%s to %s', (from, to, expected) => {
		expect(read(from, to)).toEqual(expected);
	});
});
