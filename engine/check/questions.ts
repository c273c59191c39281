// The questions of the check, and how each is answered. Another value of a setting than the present one is found only if
// the service refuses the present one again.
import { authorizationFormOf, authorizationForms } from '../auth/signing';
import { readFailure } from '../failure';
import { formatCount, pluralize } from '../http/format';
import { adviceSubscriptionKey } from '../http/gatewayAnswer';
import { mainSample, readFirstPages, readMain, type CheckedPage, type CheckSession } from './reads';

export interface Finding {
	/** The answer, in a person's words. */
	answer: string;
	/** The action, if there is one. */
	action?: string;
	/** Whether the question could not be answered; the answer says why. */
	isOpen?: boolean;
}

/** The action for a setting of the credential, with its label and value as on the form. */
const setTo = (setting: string, value: string | number): string =>
	`Set '${setting}' to '${value}' in the credential.`;

/**
 * Tries values of a setting, the present one first, until the service accepts one.
 * @returns undefined when it accepts none
 * @throws Failure of a read, or when the service does not respond alike
 */
async function findAccepted<Value>(
	[present, ...others]: readonly [Value, ...Value[]],
	isAccepted: (value: Value) => Promise<boolean>,
): Promise<Value | undefined> {
	if (await isAccepted(present)) return present;
	for (const value of others) {
		if (!(await isAccepted(value))) continue;
		if (!(await isAccepted(present))) return value;
		throw readFailure('The service answered differently when asked again.');
	}
	return undefined;
}

const labelsOf = (pages: readonly CheckedPage[]): string =>
	pages.map(({ list }) => list.label).join(', ');

/** Whether the gateway refused the key to a list, and not to a sign-in. */
const isKeyRefused = ({ failure }: CheckedPage): boolean =>
	failure?.code === 'keyRefused' && failure.details.status !== undefined;

async function checkSignIn(session: CheckSession): Promise<Finding> {
	const { credentials } = session;
	const present = authorizationFormOf(credentials.authorizationHeader);
	const other = authorizationFormOf(present === 'token' && 'bearer');
	const form = await findAccepted([present, other], async (tried) => {
		credentials.authorizationHeader = tried;
		const pages = await readFirstPages(session);
		const isRead = pages.some(({ failure }) => !failure);
		if (isRead) session.firstPages = pages;
		const judged = pages.find((page) => !isKeyRefused(page));
		const withOtherKey = `Signed in. This key is not for these lists: ${labelsOf(pages)}.`;
		if (!judged) throw readFailure(withOtherKey, adviceSubscriptionKey);
		// Any other refusal, even a 403, may come from what stands before the service and has not read the token.
		if (isRead || judged.failure!.code === 'tokenRefused') return isRead;
		throw judged.failure!;
	});
	const askOwner = 'Ask the service owner what this account may do, and how the token is written.';
	if (!form) throw readFailure('The service refuses its own tokens.', askOwner);
	credentials.authorizationHeader = form;
	const { label } = authorizationForms[form];
	const action = form === present ? undefined : setTo('Authorization Header', label);
	return { answer: `Yes; ${label}.`, action };
}

async function checkLists({ firstPages }: CheckSession): Promise<Finding> {
	const readable = labelsOf(firstPages.filter(({ failure }) => !failure));
	const others = firstPages.filter(({ failure }) => failure);
	if (readable === '') throw readFailure('No list could be read.');
	if (others.length === 0) return { answer: `All lists tried: ${readable}.` };
	const askOwner = `If a workflow needs them, ask the service owner for access to: ${labelsOf(others)}.`;
	return {
		answer: `${readable}; not: ${labelsOf(others)} (${others[0]!.failure!.message}).`,
		action: others.every(isKeyRefused) ? adviceSubscriptionKey : askOwner,
	};
}

/** The sizes of a page that are tried where the present one is refused. */
const smallerSizes = [500, 250, 200, 100, 50, 25, 10];

/** Those that are tried where the present one is accepted. */
const largerSizes = [10_000, 1000];

/** Says how many requests larger pages save: a person may want fewer, but nobody needs to change the setting for it. */
async function savingOfLargerPages(session: CheckSession): Promise<string> {
	const { list, totalRows = 0 } = mainSample(session);
	const { pageSize } = session;
	const present = (await readMain(session, { limit: pageSize })).rows.length;
	if (present >= totalRows) return '';
	// Of ten times as many rows as there are, most would be asked for in vain.
	for (const size of largerSizes.filter((one) => one > pageSize && one < 10 * totalRows)) {
		const { length } = (await readMain(session, { limit: size })).rows;
		if (length <= present) continue;
		const [fewer, now] = [length, present].map((ofPage) => Math.ceil(totalRows / ofPage));
		// Where fewer rows come than there are, they are the most that the service gives.
		const setting = length < totalRows ? length : size;
		return ` With 'Page Size' at '${setting}', all ${formatCount(totalRows)} rows of ${list.label} take ${pluralize(fewer!, 'request')} instead of ${now}.`;
	}
	return '';
}

async function checkPageSize(session: CheckSession): Promise<Finding> {
	const { pageSize } = session;
	const smaller = smallerSizes.filter((size) => size < pageSize);
	// Where fewer rows come than were asked for, the nodes go on after them.
	const accepted = await findAccepted([pageSize, ...smaller], async (limit) => {
		const { failure, rows } = await readMain(session, { limit });
		return !failure && rows.length <= limit;
	});
	const askOwner = 'Ask the service owner how many rows a page may have.';
	if (!accepted) throw readFailure('The service accepts none of the sizes tried.', askOwner);
	const answer = `${formatCount(accepted)} rows.`;
	if (accepted !== pageSize) return { answer, action: setTo('Page Size', accepted) };
	return { answer: answer + (await savingOfLargerPages(session)) };
}

async function checkCount(session: CheckSession): Promise<Finding> {
	const sample = mainSample(session);
	const one = await readMain(session, { limit: 1 });
	if (one.rows.length >= sample.rows.length) throw readFailure('The list is too short to tell.');
	if (sample.totalRows === undefined) return { answer: 'Nothing: it is missing.' };
	if (sample.totalRows === one.totalRows)
		return { answer: "The rows of the list, whatever 'limit' is." };
	if ([sample, one].some(({ rows, totalRows }) => totalRows !== rows.length))
		throw readFailure("It depends on 'limit'.", "Ask the service owner what 'totalRows' counts.");
	const { length } = (await readMain(session, { limit: session.pageSize })).rows;
	const isCut = length > 0 && length < session.pageSize;
	// Only a full page shows then that another follows.
	const isFollowed =
		isCut && (await readMain(session, { limit: 1, offset: length })).rows.length > 0;
	const action = isFollowed ? setTo('Page Size', length) : undefined;
	return { answer: 'The rows of the page.', action };
}

/**
 * By question, in a person's words, which identify the finding: how it is answered. In the order in which they are
 * asked: the first ones say why the others cannot be answered, and the last ones use what the others have found. Each
 * throws a Failure when the service's responses do not tell.
 */
export const questions: Readonly<Record<string, (session: CheckSession) => Promise<Finding>>> = {
	'Can the account sign in, and how is its token written?': checkSignIn,
	'Which lists may the account read?': checkLists,
	'Which page size does the service accept?': checkPageSize,
	"What does 'totalRows' count?": checkCount,
};
