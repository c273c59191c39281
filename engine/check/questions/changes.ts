// Which of the parameters work that ask for rows that have changed, and for archived rows.
import { writtenArchived, writtenDate } from '../../form/filter';
import type { ServiceConventions } from '../../form/serviceConventions';
import { conventionFinding, probably, understoodValue, type Finding } from '../findings';
import { cannotTell, firstRows, type CheckSession, type Reading } from '../session';
import { largestPage } from './pages';

type DateFormat = ServiceConventions['changesSinceFormat'];

/**
 * Dates before and after any change of a record, for each time of asking. None of their days could be a month, and none
 * is beyond what 32 bits hold.
 */
const dates = [
	['2000-01-25', '2036-01-25'],
	['2001-02-26', '2037-02-26'],
] as const;

/** The ways of writing a date that the same service may read both, each as another day. */
const otherOrder: Partial<Record<DateFormat, DateFormat>> = { us: 'dayFirst', dayFirst: 'us' };

const useFullComparison = "In the trigger, leave 'Detect By' at 'Full Comparison'.";

export async function checkChangesSince(session: CheckSession): Promise<Finding> {
	const name = 'changesSinceFormat';
	const advice = `Do not use 'Changes Since'. ${useFullComparison}`;
	const objectionTo = async (format: DateFormat, round: 0 | 1) => {
		const [longAgo, farAhead] = dates[round];
		const readSince = async (date: string) => {
			const changesSince = writtenDate(new Date(date), format);
			return await session.readUnlessRefused({ limit: firstRows, changesSince });
		};
		const ahead = await readSince(farAhead);
		if (ahead && ahead.rows.length > 0) return 'a date to come gives rows';
		const ago = await readSince(longAgo);
		if (!ago) return 'is refused';
		return ago.rows.length === 0 ? 'a date long ago gives no rows' : undefined;
	};
	const format = await understoodValue(session, name, advice, objectionTo);
	const other = otherOrder[format];
	if (other && (await objectionTo(other, 0)) === undefined)
		throw cannotTell('The service takes both the month first and the day first.', advice);
	// Dates far away do not show in which time zone a day begins, nor whether dates are compared as text.
	return { ...conventionFinding(session, name, format), sure: 'likely' };
}

export async function checkRowVersion(session: CheckSession): Promise<Finding> {
	const { first, keysOf } = session.mainList();
	session.cite(first);
	const { rowVersion } = first.rows[0]!;
	if (typeof rowVersion !== 'string' || rowVersion === '')
		throw cannotTell('The rows have no version.', useFullComparison);
	const reading = await session.readUnlessRefused({ limit: firstRows, rowVersion });
	if (reading && !keysOf(reading).includes(keysOf(first)[0]!))
		return probably('Yes: a row does not come for its own version.');
	return probably(
		reading ? 'No: a row comes for its own version.' : 'No: it is refused.',
		`Do not use 'Row Version'. ${useFullComparison}`,
	);
}

export async function checkArchived(session: CheckSession): Promise<Finding> {
	const { keysOf } = session.mainList();
	const { asked: limit, reading: usual } = await largestPage(session);
	const usualKeys = new Set(keysOf(usual));
	const showsMore = (reading: Reading): boolean =>
		keysOf(reading).some((key) => !usualKeys.has(key)) ||
		(reading.totalRows ?? 0) > (usual.totalRows ?? Infinity);
	const advice =
		'Archive a record that you can spare in the service, then run the check again: perhaps there is no archived one.';
	const value = await understoodValue(session, 'archivedValues', advice, async (tried) => {
		const showArchived = writtenArchived(true, tried);
		const reading = await session.readUnlessRefused({ limit, showArchived });
		if (!reading) return 'is refused';
		return showsMore(reading) ? undefined : 'gives no further rows';
	});
	const finding = conventionFinding(session, 'archivedValues', value);
	const no = writtenArchived(false, value);
	const reading = await session.readUnlessRefused({ limit, showArchived: no });
	await session.confirm(usual);
	if (!reading || !showsMore(reading)) return finding;
	return {
		...finding,
		answer: `${finding.answer} Even ${no} asks for them.`,
		means: `${finding.change ? `${finding.means} ` : ''}To have no archived rows, leave 'Show Archived' out.`,
	};
}
