// Which of the parameters work that ask for rows that have changed, and for archived rows.
import { writtenArchived, writtenDate } from '../../form/filter';
import { RowIdentity } from '../../kinds/list/rowIdentity';
import { searchConvention } from '../conventionSearch';
import { CannotTell, nothingToSet, type Question } from '../findings';
import { firstRows, mainList } from '../overview';
import { isRefusedQuery, type CheckSession, type Reading } from '../session';
import { largestPage } from './pages';

/** Dates before and after any change of a record. */
const longAgo = new Date('2000-01-02T00:00:00Z');
const farAhead = new Date('2090-01-02T00:00:00Z');

const useFullComparison = "In the trigger, leave 'Detect By' at 'Full Comparison'.";

export const changesSinceQuestion: Question<CheckSession> = {
	question: "Which dates does 'changesSince' take?",
	async findOut(session) {
		const { operation } = await mainList(session);
		const { finding } = await searchConvention(
			session,
			'changesSinceFormat',
			async (format) => {
				const rowsSince = (date: Date) =>
					session.tryToRead(operation, {
						limit: firstRows,
						changesSince: writtenDate(date, format),
					});
				const ahead = await rowsSince(farAhead);
				if (isRefusedQuery(ahead)) return { evidence: [ahead.evidence], objection: 'is refused' };
				if (ahead.rows.length > 0) {
					return { evidence: [ahead.evidence], objection: 'a date to come gives rows' };
				}
				const ago = await rowsSince(longAgo);
				const evidence = [ahead.evidence, ago.evidence];
				if (isRefusedQuery(ago)) return { evidence, objection: 'is refused' };
				return {
					evidence,
					...(ago.rows.length === 0 && { objection: 'a date long ago gives no rows' }),
				};
			},
			`Do not use 'Changes Since'. ${useFullComparison}`,
		);
		return finding;
	},
};

/** What identifies the rows of a reading. */
const keysOf = ({ rows }: Reading, identity: RowIdentity): Set<number | string> =>
	new Set(rows.map((row) => identity.keyOf(row)));

export const rowVersionQuestion: Question<CheckSession> = {
	question: "Does 'rowVersion' ask for what has changed since?",
	async findOut(session) {
		const { operation, first } = await mainList(session);
		const identity = new RowIdentity(operation.idField);
		const [row] = first.rows;
		const rowVersion = row?.rowVersion;
		if (typeof rowVersion !== 'string' || rowVersion === '') {
			throw new CannotTell('The rows have no version.', [first.evidence], useFullComparison);
		}
		const reading = await session.tryToRead(operation, { limit: firstRows, rowVersion });
		const evidence = [reading.evidence];
		const isIgnored =
			!isRefusedQuery(reading) && keysOf(reading, identity).has(identity.keyOf(row!));
		if (isRefusedQuery(reading) || isIgnored) {
			return {
				answer: isIgnored ? 'No: a row comes for its own version.' : 'No: it is refused.',
				means: `Do not use 'Row Version'. ${useFullComparison}`,
				evidence,
				certainty: 'likely',
			};
		}
		return {
			answer: 'Yes: a row does not come for its own version.',
			means: nothingToSet,
			evidence,
			certainty: 'likely',
		};
	},
};

export const archivedQuestion: Question<CheckSession> = {
	question: 'How are archived rows asked for?',
	async findOut(session) {
		const { operation } = await mainList(session);
		const { asked: limit, reading: usual } = await largestPage(session);
		const identity = new RowIdentity(operation.idField);
		const usualKeys = keysOf(usual, identity);
		const showsMore = (reading: Reading): boolean =>
			[...keysOf(reading, identity)].some((key) => !usualKeys.has(key)) ||
			(reading.totalRows ?? 0) > (usual.totalRows ?? Infinity);
		const read = (isWanted: boolean, values = session.conventions.archivedValues) =>
			session.tryToRead(operation, { limit, showArchived: writtenArchived(isWanted, values) });
		const { value, finding } = await searchConvention(
			session,
			'archivedValues',
			async (values) => {
				const reading = await read(true, values);
				if (isRefusedQuery(reading))
					return { evidence: [reading.evidence], objection: 'is refused' };
				return {
					evidence: [reading.evidence],
					...(!showsMore(reading) && { objection: 'gives no further rows' }),
				};
			},
			'Archive a record that you can spare in the service, then run the check again: perhaps there is no archived one.',
		);
		const refused = await read(false, value);
		if (isRefusedQuery(refused) || !showsMore(refused)) return finding;
		return {
			...finding,
			answer: `${finding.answer} Any other value asks for them too, even ${writtenArchived(false, value)}.`,
			means: `${finding.means} To have no archived rows, leave 'Show Archived' out.`,
			evidence: [...finding.evidence, refused.evidence],
		};
	},
};
