// Which of the parameters work that ask for rows that have changed, and for archived rows.
import { formatArchived } from '../../form/filter';
import { formatDate, type ServiceConventions } from '../../form/serviceConventions';
import type { AskQuestion } from '../findings';
import { firstRows } from '../session';
import { askSetting } from '../settingQuestion';

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

export const checkChangesSince: AskQuestion = async (session) =>
	await askSetting(session, 'changesSinceFormat', {
		async whyRejected() {
			const { changesSinceFormat: format } = session.settings;
			const hasRows = async (date: string, as: DateFormat, mayBeRefused = true) => {
				const query = { limit: firstRows, changesSince: formatDate(new Date(date), as) };
				return (await session.readRows(query, mayBeRefused)).rows.length > 0;
			};
			for (const { longAgo, farAhead } of dates) {
				if (!(await hasRows(longAgo, format, false))) return 'a date long ago returns no rows';
				if (await hasRows(farAhead, format)) return 'a future date returns rows';
			}
			const other = otherOrder[format];
			const isOtherTaken = other && (await hasRows(dates[0]!.longAgo, other));
			return isOtherTaken ? 'both orders are accepted' : undefined;
		},
		// Dates far away do not show in which time zone a day begins, nor whether dates are compared as text.
		confidence: 'likely',
		advice: "Do not use 'Changes Since'. In the trigger, leave 'Detect By' at 'Full Comparison'.",
	});

export const checkArchived: AskQuestion = async (session) => {
	const { sample, keysOf } = session.mainList();
	const usualKeys = new Set(keysOf(sample));
	const showsMore = async (isWanted: boolean) => {
		const showArchived = formatArchived(isWanted, session.settings.archivedValues);
		const reading = await session.readRows({ ...sample.query, showArchived }, !isWanted);
		const isMoreCounted = (reading.totalRows ?? 0) > (sample.totalRows ?? Infinity);
		return isMoreCounted || keysOf(reading).some((key) => !usualKeys.has(key));
	};
	return await askSetting(session, 'archivedValues', {
		async whyRejected() {
			if (!(await showsMore(true))) return 'returns no more rows';
			if (await showsMore(false)) return 'returns them for false too';
			return await session.whyNotSame();
		},
		// Further rows may also be new, or those of another replica.
		confidence: 'likely',
		advice:
			"Leave 'Show Archived' out; or, in case no record is archived yet, archive a throwaway one in the service and run the check again.",
	});
};
