// What the service's gateway answers by itself, as Azure API Management does: its documentation of the
// policies, and the bodies that its users quote.
import type { ServerResponse } from 'node:http';

export interface GatewayAnswer {
	status: number;
	headers?: Record<string, string>;
	body: { statusCode: number; message: string; activityId?: string };
}

const asksForKey = {
	'www-authenticate':
		'AzureApiManagementKey realm="https://records.example.org/agencyshifts",name="Ocp-Apim-Subscription-Key",type="header"',
};

const answer = (
	status: number,
	message: string,
	headers: Record<string, string> = {},
	more: object = {},
): GatewayAnswer => ({
	status,
	headers: { 'content-type': 'application/json', ...headers },
	body: { statusCode: status, message, ...more },
});

export const activityId = '8e3c6d1a-5c4f-4c8e-9d1b-0d6f6f1f2a3b';

const invalidKey =
	'Access denied due to invalid subscription key. Make sure to provide a valid key for an active subscription.';

export const gatewayAnswers = {
	missingKey: answer(
		401,
		'Access denied due to missing subscription key. Make sure to include subscription key when making requests to an API.',
		asksForKey,
	),
	wrongKey: answer(401, invalidKey, asksForKey),
	/** Of an owner who has changed the texts. */
	wrongKeyInOtherWords: answer(401, 'Zugriff verweigert.', asksForKey),
	/** Behind a proxy that keeps such headers to itself. */
	wrongKeyWithoutHeader: answer(401, invalidKey),
	rateLimit: answer(429, 'Rate limit is exceeded. Try again in 5 seconds.', { 'retry-after': '5' }),
	quota: answer(403, 'Out of call volume quota. Quota will be replenished in 00:21:17.', {
		'retry-after': '1277',
	}),
	shortQuota: answer(403, 'Out of call volume quota. Quota will be replenished in 00:00:07.', {
		'retry-after': '7',
	}),
	address: answer(403, 'Forbidden'),
	route: answer(404, 'Resource not found'),
	tooLarge: answer(413, 'Request Entity Too Large'),
	failed: answer(500, 'Internal server error', {}, { activityId }),
	badGateway: answer(502, 'Bad gateway', {}, { activityId }),
	timeout: answer(504, 'Gateway Timeout', {}, { activityId }),
} satisfies Record<string, GatewayAnswer>;

export function answerAsGateway(
	response: ServerResponse,
	{ status, headers, body }: GatewayAnswer,
) {
	response.writeHead(status, headers).end(JSON.stringify(body));
}
