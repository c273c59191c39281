// What the first requests show: whether the service is there, accepts key, account and token, what it gives to read,
// and what the headers of its answers say.
import { authorizationForms } from '../../auth/credentialTest';
import { Failure, type FailureCode } from '../../failure';
import { pluralize, formatDuration } from '../../http/format';
import { nothingToSet, probably, settingFinding, told, type Finding } from '../findings';
import { cannotTell, type CheckSession, type ListOverview } from '../session';

/** The steps that a request takes before it is answered with rows, in their order, and the failures of each. */
const failuresByStep: Record<'address' | 'key' | 'signIn' | 'token', readonly FailureCode[]> = {
	address: ['noConnection', 'noAnswer', 'credentialUnusable', 'signInUnavailable'],
	key: ['keyRefused'],
	signIn: ['signInRefused'],
	token: ['tokenRefused'],
};

const steps = Object.keys(failuresByStep);

/**
 * How many steps a request is known to have taken. One that was answered with a status took them all, unless its
 * failure belongs to a step; of any other failure nothing is known.
 */
function stepsTaken({ reading }: ListOverview): number {
	if (!(reading instanceof Failure)) return steps.length;
	const failedAt = Object.values(failuresByStep).findIndex((codes) => codes.includes(reading.code));
	if (failedAt >= 0) return failedAt;
	return reading.details.status === undefined ? -1 : steps.length;
}

const exchangeOf = ({ reading }: ListOverview): string =>
	reading instanceof Failure ? reading.message : reading.exchange;

/** Finds out whether the requests got past a step. */
const checkStep =
	(step: keyof typeof failuresByStep, success: (session: CheckSession) => Finding) =>
	async (session: CheckSession): Promise<Finding> => {
		const [furthest] = [...session.overview].sort((a, b) => stepsTaken(b) - stepsTaken(a));
		const taken = stepsTaken(furthest!);
		if (taken > steps.indexOf(step)) {
			session.evidence.push(exchangeOf(furthest!));
			return success(session);
		}
		const failure = furthest!.reading as Failure;
		if (taken < 0) throw failure;
		if (taken < steps.indexOf(step))
			throw cannotTell(
				'No request got that far.',
				'Correct what is named above, then run the check again.',
			);
		const { status, retryable } = failure.details;
		if (status !== undefined) session.evidence.push(`Status ${status}`);
		const { advice = 'Correct the credential.' } = failure;
		const means = retryable ? 'Run the check again later.' : advice;
		return told(`No. ${failure.message}`, means);
	};

export const checkAddress = checkStep('address', ({ account: { settings } }) => {
	const { origin, protocol } = new URL(settings.baseUrl);
	const security = protocol === 'https:' ? 'with a TLS certificate that n8n trusts' : 'without TLS';
	return told(`Yes, at ${origin}, ${security}.`);
});

export const checkKey = checkStep('key', () => told('Yes.'));

export const checkSignIn = checkStep('signIn', ({ account: { settings } }) =>
	told(`Yes, by ${settings.grantType === 'password' ? 'its password' : 'an authorization code'}.`),
);

export async function checkHeader(session: CheckSession): Promise<Finding> {
	const [reading] = session.readings;
	if (!reading) throw cannotTell('No request was accepted, however the token was written.');
	session.cite(reading);
	const value = authorizationForms[session.authorizationForm].label;
	const current = authorizationForms[session.configuredForm].label;
	const answer = value === current ? `'${value}' is accepted.` : `Only as '${value}'.`;
	return settingFinding(answer, { setting: 'Authorization Header', value, current });
}

const labelsOf = (lists: readonly ListOverview[]): string =>
	lists.map(({ list }) => list.label).join(', ');

export async function checkPermissions(session: CheckSession): Promise<Finding> {
	const { overview, evidence } = session;
	const readable = overview.filter(({ reading }) => !(reading instanceof Failure));
	const others = overview.filter((look) => !readable.includes(look));
	const failures = others.map(({ reading }) => reading as Failure);
	const [failure] = failures;
	if (readable.length === 0 && failures.some(({ code }) => code !== 'notPermitted'))
		throw cannotTell(`None: ${failure!.message}`, failure!.advice);
	evidence.push(...overview.map(exchangeOf));
	if (!failure) return told(`All that were tried: ${labelsOf(readable)}.`);
	const noneOf = `None of those that were tried: ${failure.message}`;
	if (readable.length === 0) return told(noneOf, failure.advice);
	const answer = `${labelsOf(readable)}; not: ${labelsOf(others)}.`;
	const unexplained = failures.find(({ code }) => code !== 'notPermitted');
	if (unexplained) return probably(`${answer} ${unexplained.message}`, unexplained.advice);
	return told(
		answer,
		`Where a workflow needs it, ask the service's owner to permit: ${labelsOf(others)}.`,
	);
}

/** Milliseconds; of less than that a clock is right, since answers take their time. */
const clockTolerance = 60_000;

export async function checkClock({ readings, evidence }: CheckSession): Promise<Finding> {
	const [reading] = readings;
	const date = Date.parse(String(reading?.headers.date));
	if (!reading || Number.isNaN(date))
		throw cannotTell('No answer says what time it is for the service.');
	const here = new Date(reading.receivedAt);
	evidence.push(`Date: ${String(reading.headers.date)}; here it was ${here.toUTCString()}`);
	const difference = Math.abs(reading.receivedAt - date);
	if (difference < clockTolerance) return told('Yes, within a minute.');
	const behindOrAhead = reading.receivedAt > date ? 'behind' : 'ahead of';
	// An answer from a cache has the date of when it was stored, so this is not sure.
	return told(
		`It is ${formatDuration(difference)} ${behindOrAhead} that of n8n.`,
		`Set the clock that is wrong. In the trigger, set 'Overlap (Minutes)' to at least ${Math.ceil(difference / 60_000) + 10} if 'Detect By' is 'Changes Since'.`,
		{ compared: behindOrAhead, sure: 'likely' },
	);
}

export async function checkSecondSignIn(session: CheckSession): Promise<Finding> {
	session.mainList();
	await session.signInAgain();
	const before = session.refusedTokens;
	await session.read({ limit: 1 });
	const refused = session.refusedTokens - before;
	session.evidence.push(`${pluralize(refused, 'token')} refused after a second sign-in`);
	if (refused === 0) return probably('No.');
	return probably(
		'Yes: an account has only one live token.',
		'Give each n8n, and each other program, an account of its own with the service. Workers of one n8n share their token.',
	);
}

/** Headers in which services name limits: those of RFC drafts, of Azure API Management, and the usual ones. */
const isLimitHeader = (name: string): boolean => /rate-?limit|quota|^retry-after$/i.test(name);

export async function checkLimits({ readings }: CheckSession): Promise<Finding> {
	if (readings.length === 0) throw cannotTell('No list could be read.');
	const headers = readings.flatMap((reading) => Object.entries(reading.headers));
	const limits = new Map(headers.filter(([name]) => isLimitHeader(name)));
	const named = [...limits].map(([name, value]) => `${name}: ${String(value)}`);
	return told(named.length === 0 ? 'None in its headers.' : named.join('; '), nothingToSet, {
		compared: [...limits.keys()].sort().join(),
	});
}
