// The first look at the service: the beginning of each list that the account may read.
import type { ListOperation } from '../area';
import { Failure } from '../failure';
import type { WatchedList } from '../form/trigger';
import { CannotTell } from './findings';
import type { CheckSession, Reading } from './session';

/** How many rows the first look asks for: enough to tell where a second page begins. */
export const firstRows = 10;

export interface ListOverview {
	list: WatchedList;
	/** The first rows, or why they could not be read. */
	reading: Reading | Failure;
}

export const isReading = (reading: Reading | Failure): reading is Reading =>
	!(reading instanceof Failure);

const readBeginning = (
	session: CheckSession,
	operation: ListOperation,
): Promise<ListOverview['reading']> =>
	session
		.read(operation, operation.paged ? { limit: firstRows } : {})
		.catch((error: unknown) => (error instanceof Failure ? error : Promise.reject(error as Error)));

/**
 * Reads the beginning of each list. Why one cannot be read is a part of the answer, and no error. Where the token is
 * refused, it is written in the other way from then on, if that is accepted.
 */
export const overviewOf = (session: CheckSession): Promise<ListOverview[]> =>
	session.once('overview', async () => {
		const overview: ListOverview[] = [];
		for (const list of session.operations.lists) {
			let reading = await readBeginning(session, list.operation);
			if (overview.length === 0 && reading instanceof Failure && reading.code === 'tokenRefused') {
				await session.changeAuthorizationForm();
				reading = await readBeginning(session, list.operation);
				if (!isReading(reading)) await session.changeAuthorizationForm();
			}
			overview.push({ list, reading });
			// What kept the first request from being answered would keep the others from it, too.
			if (!isReading(reading) && reading.details.status === undefined) break;
		}
		return overview;
	});

/** What could be read of the lists. */
export const readingsOf = async (session: CheckSession): Promise<Reading[]> =>
	(await overviewOf(session)).map(({ reading }) => reading).filter(isReading);

/** The first list that could be read; undefined when none could. */
export const firstReading = async (session: CheckSession): Promise<Reading | undefined> =>
	(await readingsOf(session))[0];

/**
 * The list by which all that concerns lists is found out: the first that is read in pages and has rows.
 * @throws CannotTell when there is none
 */
export async function mainList(
	session: CheckSession,
): Promise<{ operation: ListOperation; first: Reading }> {
	const overview = await overviewOf(session);
	for (const { list, reading } of overview) {
		if (isReading(reading) && list.operation.paged && reading.rows.length > 0) {
			return { operation: list.operation, first: reading };
		}
	}
	const hasEmptyList = overview.some(({ reading }) => isReading(reading));
	throw new CannotTell(
		hasEmptyList
			? 'The lists that this account may read have no rows.'
			: 'This account may read none of the lists.',
		[],
		'Run the check with an account that may read vendors or device codes, once there are some.',
	);
}
