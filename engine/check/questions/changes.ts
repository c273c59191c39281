// Which of the parameters work that ask for rows that have changed, and for archived rows.
import { writtenArchived } from '../../form/filter';
import { writtenDate, type ServiceConventions } from '../../form/serviceConventions';
import { conventionQuestion, sameAgain, type Probe } from '../conventionQuestion';
import { firstRows, type ListReading } from '../session';

type DateFormat = ServiceConventions['changesSinceFormat'];

/**
 * Dates before and after any change of a record. None of their days could be a month, and none is beyond what 32 bits
 * hold.
 */
const dates = [
	{ longAgo: '2000-01-25', farAhead: '2036-01-25' },
	{ longAgo: '2001-02-26', farAhead: '2037-02-26' },
];

/** The ways of writing a date that the same service may read both, each as another day. */
const otherOrder: Partial<Record<DateFormat, DateFormat>> = { us: 'dayFirst', dayFirst: 'us' };

/** @param reason why the value is rejected if rows come; without one, rows have to come */
const dateProbe = (date: string, format: DateFormat, reason?: string): Probe => ({
	query: { limit: firstRows, changesSince: writtenDate(new Date(date), format) },
	whyRejected: ({ rows }) =>
		rows.length > 0 ? reason : reason === undefined ? 'a date long ago gives no rows' : undefined,
	mayBeRefused: reason !== undefined,
});

export const checkChangesSince = conventionQuestion('changesSinceFormat', () => ({
	probes(format) {
		const other = otherOrder[format];
		return [
			...dates.flatMap(({ longAgo, farAhead }) => [
				dateProbe(longAgo, format),
				dateProbe(farAhead, format, 'a date to come gives rows'),
			]),
			...(other ? [dateProbe(dates[0]!.longAgo, other, 'both orders are taken')] : []),
		];
	},
	// Dates far away do not show in which time zone a day begins, nor whether dates are compared as text.
	confidence: 'likely',
	advice: "Do not use 'Changes Since'. In the trigger, leave 'Detect By' at 'Full Comparison'.",
}));

export const checkArchived = conventionQuestion('archivedValues', (session) => {
	const { sample, keysOf } = session.mainList();
	const usualKeys = new Set(keysOf(sample));
	const showsMore = (reading: ListReading): boolean =>
		keysOf(reading).some((key) => !usualKeys.has(key)) ||
		(reading.totalRows ?? 0) > (sample.totalRows ?? Infinity);
	return {
		probes: (value) => [
			{
				query: { ...sample.query, showArchived: writtenArchived(true, value) },
				whyRejected: (reading) => (showsMore(reading) ? undefined : 'gives no further rows'),
			},
			{
				query: { ...sample.query, showArchived: writtenArchived(false, value) },
				whyRejected: (reading) => (showsMore(reading) ? 'no asks for them, too' : undefined),
				mayBeRefused: true,
			},
			sameAgain(session, sample),
		],
		// Further rows may also be new, or those of another replica.
		confidence: 'likely',
		advice:
			"Leave 'Show Archived' out; or archive a record that you can spare in the service, then run the check again: perhaps there is no archived one.",
	};
});
