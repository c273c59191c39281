// What the first requests show: whether the service is there, accepts key, account and token, and what it gives to
// read.
import { accountOf } from '../../auth/account';
import { authorizationFormOf, authorizationForms } from '../../auth/credentialTest';
import type { FailureCode } from '../../failure';
import { finding, likelyFinding, settingFinding, type Finding } from '../findings';
import { cannotTell, type CheckSession, type ListReading } from '../session';

/** The failures of the steps that a request takes before the service reads its token, in their order. */
const failuresByStep: FailureCode[][] = [
	['noConnection', 'noAnswer', 'credentialUnusable', 'signInUnavailable'],
	['keyRefused'],
	['signInRefused'],
];

/**
 * Finds out whether the requests got past a step. One that was answered with a status got past all of them, unless its
 * failure belongs to one; of any other failure nothing is known.
 */
const checkStep =
	(step: number, success: (session: CheckSession) => string) =>
	async (session: CheckSession): Promise<Finding> => {
		const { firstReadings } = session;
		const reading = firstReadings.find(({ failure }) => !failure) ?? firstReadings[0]!;
		session.evidence = reading.summary;
		const { failure } = reading;
		if (!failure) return finding(success(session));
		const failedAt = failuresByStep.findIndex((codes) => codes.includes(failure.code));
		const { status, retryable } = failure.details;
		if (failedAt < 0 && status === undefined) throw failure;
		if (failedAt < 0 || failedAt > step) return finding(success(session));
		if (failedAt < step)
			throw cannotTell(
				'No request got that far.',
				'Correct what is named above, then run the check again.',
			);
		const { advice = 'Correct the credential.' } = failure;
		return finding(`No. ${failure.message}`, retryable ? 'Run the check again later.' : advice);
	};

export const checkAddress = checkStep(0, ({ access: { user } }) => {
	const { origin, protocol } = new URL(user.baseUrl);
	const security = protocol === 'https:' ? 'with a TLS certificate that n8n trusts' : 'without TLS';
	return `Yes, at ${origin}, ${security}.`;
});

export const checkKey = checkStep(1, () => 'Yes.');

export const checkSignIn = checkStep(2, ({ credentials }) => {
	const { grantType } = accountOf(credentials).settings;
	return `Yes, by ${grantType === 'password' ? 'its password' : 'an authorization code'}.`;
});

export async function checkHeader(session: CheckSession): Promise<Finding> {
	const accepted = session.firstReadings.find(({ failure }) => !failure);
	if (!accepted) throw cannotTell('No request was accepted, however the token was written.');
	session.evidence = accepted.summary;
	const configured = authorizationFormOf(session.credentials.authorizationHeader);
	const value = authorizationForms[session.form].label;
	const current = authorizationForms[configured].label;
	const answer = value === current ? `'${value}' is accepted.` : `Only as '${value}'.`;
	return settingFinding(answer, { setting: 'Authorization Header', value, current });
}

const labelsOf = (readings: readonly ListReading[]): string =>
	readings.map(({ list }) => list.label).join(', ');

export async function checkPermissions({ firstReadings }: CheckSession): Promise<Finding> {
	const readable = firstReadings.filter(({ failure }) => !failure);
	const others = firstReadings.filter(({ failure }) => failure);
	if (others.length === 0) return finding(`All that were tried: ${labelsOf(readable)}.`);
	const failures = others.map(({ failure }) => failure!);
	const unexplained = failures.find(({ code }) => code !== 'notPermitted');
	if (readable.length === 0) {
		const { message, advice } = failures[0]!;
		if (unexplained) throw cannotTell(`None: ${message}`, advice);
		return finding(`None of those that were tried: ${message}`, advice);
	}
	const answer = `${labelsOf(readable)}; not: ${labelsOf(others)}.`;
	if (unexplained) return likelyFinding(`${answer} ${unexplained.message}`, unexplained.advice);
	const ask = `Where a workflow needs it, ask the service's owner to permit: ${labelsOf(others)}.`;
	return finding(answer, ask);
}
