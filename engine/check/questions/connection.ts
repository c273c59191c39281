// What the first requests show: whether the service is there, accepts key, account and token, and what it gives to
// read.
import { authorizationForms } from '../../auth/credentialTest';
import { Failure, type FailureCode } from '../../failure';
import { settingFinding, told, type Finding } from '../findings';
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
	(session: CheckSession): Finding => {
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
				'The requests did not get as far.',
				'Run the check again when what is named above is right.',
			);
		const { status, retryable } = failure.details;
		if (status !== undefined) session.evidence.push(`Status ${status}`);
		const correct = failure.advice ?? 'Correct the credential.';
		return told(`No. ${failure.message}`, retryable ? 'Run the check again later.' : correct, {
			isObstacle: true,
		});
	};

export const checkAddress = checkStep('address', ({ account: { settings } }) => {
	const { origin, protocol } = new URL(settings.baseUrl);
	return protocol === 'https:'
		? told(`Yes, at ${origin}, with a TLS certificate that n8n trusts.`)
		: told(`Yes, at ${origin}, without TLS.`, 'Only for a service on the machine that runs n8n.');
});

export const checkKey = checkStep('key', () => told('Yes.'));

export const checkSignIn = checkStep('signIn', ({ account: { settings } }) =>
	told(`Yes, by ${settings.grantType === 'password' ? 'its password' : 'an authorization code'}.`),
);

export function checkHeader(session: CheckSession): Finding {
	const [reading] = session.readings;
	if (!reading)
		throw cannotTell('No request was accepted, in whichever way the token was written.');
	session.cite(reading);
	const value = authorizationForms[session.authorizationForm].label;
	const current = authorizationForms[session.configuredForm].label;
	const answer = value === current ? `'${value}' is accepted.` : `Only as '${value}'.`;
	return settingFinding(answer, { setting: 'Authorization Header', value, current });
}

const labelsOf = (lists: readonly ListOverview[]): string =>
	lists.map(({ list }) => list.label).join(', ');

export function checkPermissions({ overview, evidence }: CheckSession): Finding {
	const readable = overview.filter(({ reading }) => !(reading instanceof Failure));
	const others = overview.filter((look) => !readable.includes(look));
	const failures = others.map(({ reading }) => reading as Failure);
	const [failure] = failures;
	if (readable.length === 0 && failures.some(({ code }) => code !== 'notPermitted'))
		throw cannotTell(`None: ${failure!.message}`, failure!.advice);
	evidence.push(...overview.map(exchangeOf));
	if (!failure) return told(`All that were tried: ${labelsOf(readable)}.`);
	if (readable.length === 0)
		return told(`None of those that were tried: ${failure.message}`, failure.advice, {
			isObstacle: true,
		});
	return told(
		`${labelsOf(readable)}; not: ${labelsOf(others)}.`,
		"Ask the service's owner to permit it, where a workflow needs it.",
	);
}

/** Seconds; of less than that a clock is right, since answers take their time. */
const clockTolerance = 60;

export function checkClock({ readings, evidence }: CheckSession): Finding {
	const [reading] = readings;
	const date = Date.parse(String(reading?.headers.date));
	if (!reading || Number.isNaN(date))
		throw cannotTell('No answer says what time it is for the service.');
	const here = new Date(reading.receivedAt);
	evidence.push(`Date: ${String(reading.headers.date)}; here it was ${here.toUTCString()}`);
	const behind = Math.round((reading.receivedAt - date) / 1000);
	if (Math.abs(behind) < clockTolerance) return told('Yes, within a minute.');
	const minutes = Math.ceil(Math.abs(behind) / 60);
	return told(
		`It is ${minutes} minutes ${behind > 0 ? 'behind' : 'ahead of'} that of n8n.`,
		`Find out which of the two is wrong. In the trigger, set 'Overlap (Minutes)' to ${minutes + 10} at least if it asks by 'Changes Since'.`,
		{ compared: behind > 0 ? 'behind' : 'ahead' },
	);
}
