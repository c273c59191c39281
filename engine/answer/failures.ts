// An answer that does not hold what it should → the failure the user reads.
import { Failure, laterAgain, mayExist } from '../failure';
import { isWebPage } from '../http/json';
import type { Answer } from '../send/attempt';
import { isRetryable, outcomeOf } from '../send/policy';
import { wordsOf, type Words } from './words';

const checkBaseUrl = "Check 'Base URL' in the credential.";

/** What to do about a status; the first that fits counts. */
const adviceByStatus: ReadonlyArray<[is: (status: number) => boolean, advice: string]> = [
	[(status) => status === 400, 'Correct the values named above, then run this item again.'],
	[
		(status) => status === 401,
		"The service did not accept a freshly obtained token. Check 'Authorization Header' and 'Subscription Key' in the credential.",
	],
	[
		(status) => status === 403,
		"Ask the service's owner to permit it, or use the credential of another account.",
	],
	[(status) => status === 404, `Check the IDs of this item. ${checkBaseUrl}`],
	[
		(status) => status === 409,
		'It conflicts with what the service already holds: look the record up, correct this item, then run it again.',
	],
	[(status) => status < 400, checkBaseUrl],
];

function messageOf(status: number, kind: Words['kind'], said: string): string {
	if (kind === 'fields') return `The service refused the values${said}`;
	if (status === 401) return `Sign-in refused${said}`;
	if (kind === 'permissions' || status === 403) {
		return `The account is not permitted to do this${said}`;
	}
	if (status >= 300 && status < 400) {
		return `The service answered with a redirect (status ${status}), which is never followed`;
	}
	return `The service answered with status ${status}${said}`;
}

/** The service, or what answers in its place, did not accept the request. */
export function refusal({ method, status, reached, text, tries }: Answer): Failure {
	const { lines, kind } = wordsOf(text);
	const outcome = outcomeOf(method, reached);
	const retryable = isRetryable(method, reached);
	const ofStatus = adviceByStatus.find(([is]) => is(status))?.[1];
	return new Failure(
		messageOf(status, kind, lines.length > 0 ? `: ${lines.join('; ')}` : ''),
		outcome,
		{
			status,
			said: lines,
			advice: outcome === 'unknown' ? mayExist : retryable ? laterAgain : ofStatus,
			retryable,
			tries,
		},
	);
}

/** @throws Failure when a proxy or a wrong address answered in the service's place */
export function refuseWebPage({ method, status, text, tries }: Answer): void {
	if (!isWebPage(text)) return;
	const isRead = method === 'GET';
	throw new Failure(
		'The service answered with a web page instead of data',
		isRead ? 'refused' : 'unknown',
		{ status, tries, advice: isRead ? checkBaseUrl : `${checkBaseUrl} ${mayExist}` },
	);
}

const faultOf = ({ text, cut }: Answer): string => {
	if (cut === 'tooLarge') return 'is larger than 32 MB';
	if (cut === 'brokenOff') return 'broke off';
	return text.trim() === '' ? 'is empty' : 'is not what it should be';
};

/** A body that should hold data and does not: after a write, the record exists all the same. */
export function unreadable(answer: Answer, expected?: string): Failure {
	const { method, status, reached, cut, tries } = answer;
	const message = `The service answered with status ${status}, but the answer ${faultOf(answer)}${expected ? `: expected ${expected}` : ''}`;
	const isRead = method === 'GET';
	const advice =
		cut === 'tooLarge' && isRead
			? "Ask for less at once: lower 'Page Size', or add filters."
			: isRead
				? laterAgain
				: 'The service accepted the request: look the record up before sending it again.';
	return new Failure(message, outcomeOf(method, reached), {
		status,
		tries,
		advice,
		retryable: isRead && cut === 'brokenOff',
	});
}
