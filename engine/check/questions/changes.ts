// Which of the parameters work that ask for rows that have changed, and for archived rows.
import { writtenArchived, writtenDate } from '../../form/filter';
import { conventionFinding, nothingToSet, told, understoodValue, type Finding } from '../findings';
import { cannotTell, firstRows, type CheckSession, type Reading } from '../session';
import { largestPage } from './pages';

/** Dates before and after any change of a record. */
const longAgo = new Date('2000-01-02T00:00:00Z');
const farAhead = new Date('2090-01-02T00:00:00Z');

const useFullComparison = "In the trigger, leave 'Detect By' at 'Full Comparison'.";

export async function checkChangesSince(session: CheckSession): Promise<Finding> {
	const format = await understoodValue(
		session,
		'changesSinceFormat',
		async (tried) => {
			const readSince = (date: Date) =>
				session.readUnlessRefused({ limit: firstRows, changesSince: writtenDate(date, tried) });
			const ahead = await readSince(farAhead);
			if (ahead && ahead.rows.length > 0) return 'a date to come gives rows';
			const ago = ahead && (await readSince(longAgo));
			if (!ago) return 'is refused';
			return ago.rows.length === 0 ? 'a date long ago gives no rows' : undefined;
		},
		`Do not use 'Changes Since'. ${useFullComparison}`,
	);
	return conventionFinding(session, 'changesSinceFormat', format);
}

export async function checkRowVersion(session: CheckSession): Promise<Finding> {
	const { first, keysOf } = session.mainList();
	const rowVersion = first.rows[0]!.rowVersion;
	if (typeof rowVersion !== 'string' || rowVersion === '') {
		session.cite(first);
		throw cannotTell('The rows have no version.', useFullComparison);
	}
	const reading = await session.readUnlessRefused({ limit: firstRows, rowVersion });
	if (reading && !keysOf(reading).includes(keysOf(first)[0]!))
		return told('Yes: a row does not come for its own version.', nothingToSet, {
			sure: 'likely',
		});
	return told(
		reading ? 'No: a row comes for its own version.' : 'No: it is refused.',
		`Do not use 'Row Version'. ${useFullComparison}`,
		{ sure: 'likely' },
	);
}

export async function checkArchived(session: CheckSession): Promise<Finding> {
	const { keysOf } = session.mainList();
	const { asked: limit, reading: usual } = await largestPage(session);
	const usualKeys = new Set(keysOf(usual));
	const showsMore = (reading: Reading): boolean =>
		keysOf(reading).some((key) => !usualKeys.has(key)) ||
		(reading.totalRows ?? 0) > (usual.totalRows ?? Infinity);
	const value = await understoodValue(
		session,
		'archivedValues',
		async (tried) => {
			const showArchived = writtenArchived(true, tried);
			const reading = await session.readUnlessRefused({ limit, showArchived });
			if (!reading) return 'is refused';
			return showsMore(reading) ? undefined : 'gives no further rows';
		},
		'Archive a record that you can spare in the service, then run the check again: perhaps there is no archived one.',
	);
	const finding = conventionFinding(session, 'archivedValues', value);
	const no = writtenArchived(false, value);
	const reading = await session.readUnlessRefused({ limit, showArchived: no });
	if (!reading || !showsMore(reading)) return finding;
	return {
		...finding,
		answer: `${finding.answer} Any other value asks for them too, even ${no}.`,
		means: `${finding.means} To have no archived rows, leave 'Show Archived' out.`,
	};
}
