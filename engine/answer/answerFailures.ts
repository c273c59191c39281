// Makes the failure that the user reads from a response that does not hold what it should.
import {
	Failure,
	adviceBaseUrl,
	adviceRunLater,
	type FailureCode,
	type FailureDetails,
} from '../failure';
import { adviceByGatewayReason, gatewayMessage, type GatewayReason } from '../http/gatewayAnswer';
import { isRetryable, outcomeOf } from '../send/retryPolicy';
import { askedWait } from '../http/retryAfter';
import type { Answer } from '../send/try';
import { serviceMessagesOf, type ServiceMessages } from './serviceMessages';

export const isRead = ({ method }: Answer): boolean => method === 'GET';

/** What a person reads about a failure; without advice, that of its outcome. */
export type FailureText = { message: string } & FailureDetails;

const correctValues = 'Correct the values named above, then run this item again.';
const askPermission = "Ask the service owner to allow it, or use another account's credential.";
const checkIds = 'Check the IDs of this item.';
const checkToken = "Check 'Authorization Header' and 'Subscription Key' in the credential.";

const adviceByStatus: Partial<Record<number, string>> = {
	400: correctValues,
	401: `The service refused a freshly issued token. ${checkToken}`,
	403: askPermission,
	404: `${checkIds} ${adviceBaseUrl}`,
	409: 'It conflicts with a record in the service: look the record up, correct this item, then run it again.',
	413: "The request is too large: send a smaller file, or lower 'Batch Size'.",
};

const refusedAlone =
	'The service refused this item (status 401), though it accepts the same token for others';

/** A 304 answers a condition (RFC 9110 §15.4.5), and an ETag is the only one that is ever sent. */
const notModifiedUnasked =
	'The service reported the record as not modified (status 304), but no ETag was sent';

/** What the service did, and what to do about it where its status or its messages tell. */
function refusalOf(
	{ status, verdict, retryAfter, operation }: Answer,
	kind: ServiceMessages['kind'],
): [what: string, advice?: string] {
	if (verdict === 'refusedAlone') return [refusedAlone, `${checkIds} ${askPermission}`];
	if (kind === 'fields')
		return ['The service refused the values', adviceByStatus[status] ?? correctValues];
	if (status === 401) return ['Sign-in refused', adviceByStatus[status]];
	if (kind === 'permissions' || status === 403)
		return ['The account is not permitted to do this', askPermission];
	if (status === 304) return [notModifiedUnasked, adviceBaseUrl];
	if (status >= 300 && status < 400) {
		const redirect = `The service returned a redirect (status ${status}), which is never followed`;
		return [redirect, adviceBaseUrl];
	}
	const words = `The service returned status ${status}${askedWait(retryAfter)}`;
	if (status === 404 && !operation.ids) return [words, adviceBaseUrl];
	return status >= 200 && status < 300
		? [`${words}, but reported a failure`]
		: [words, adviceByStatus[status]];
}

/** What the service refused, with its own words. */
export function refusalText(answer: Answer, { kind, lines }: ServiceMessages): FailureText {
	const [what, advice] = refusalOf(answer, kind);
	const message = lines.length > 0 ? `${what}: ${lines.join('; ')}` : what;
	return { message, serviceMessages: lines, advice };
}

const withCapital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** What differs from the code that follows from the status. */
const codesByGatewayReason: Partial<Record<GatewayReason, FailureCode>> = {
	key: 'keyRefused',
	quota: 'quotaUsedUp',
};

/** What the service's gateway answered in its place, or what the service itself did. */
function failureText(answer: Answer): FailureText {
	const { status, gateway } = answer;
	if (!gateway) return refusalText(answer, serviceMessagesOf(answer));
	const { reason, words } = gateway;
	return {
		message: withCapital(gatewayMessage(gateway, status)),
		code: codesByGatewayReason[reason],
		serviceMessages: words === '' ? [] : [words],
		advice: adviceByGatewayReason[reason] ?? refusalOf(answer, 'other')[1],
	};
}

/** The failure for a status that is no success: the service, or what responds in its place, refused the request. */
export function statusFailure(answer: Answer): Failure {
	const { status, tries, gateway, verdict, whyTokenEnded } = answer;
	const { message, advice, ...others } = failureText(answer);
	const outcome = status === 304 && !isRead(answer) ? 'unknown' : outcomeOf(answer);
	// When one token after the other is refused, the item can succeed later only if another sign-in ended them: if not,
	// the credential has to be corrected.
	const isTokenRefused = status === 401 && gateway?.reason !== 'key';
	const retryable = isTokenRefused
		? whyTokenEnded !== undefined && verdict !== 'refusedAlone'
		: isRetryable(answer);
	const adviceLater = whyTokenEnded && `${whyTokenEnded} ${adviceRunLater}`;
	return new Failure(message, outcome, {
		...others,
		status,
		tries,
		retryable,
		...(outcome !== 'unknown' && { advice: retryable ? adviceLater : advice }),
	});
}
