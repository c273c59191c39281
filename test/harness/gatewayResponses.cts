// Responses of the service's gateway itself, as from Azure API Management: from the documentation of its policies, and
// from bodies that its users quote.
import type { ServerResponse } from 'node:http';

export interface GatewayResponse {
	status: number;
	headers?: Record<string, string>;
	body: { statusCode: number; message: string; activityId?: string };
}

const asksForKey = {
	'www-authenticate':
		'AzureApiManagementKey realm="https://records.example.org/agencyshifts",name="Ocp-Apim-Subscription-Key",type="header"',
};

const response = (
	status: number,
	message: string,
	headers: Record<string, string> = {},
	more: object = {},
): GatewayResponse => ({
	status,
	headers: { 'content-type': 'application/json', ...headers },
	body: { statusCode: status, message, ...more },
});

export const activityId = '8e3c6d1a-5c4f-4c8e-9d1b-0d6f6f1f2a3b';

const invalidKey =
	'Access denied due to invalid subscription key. Make sure to provide a valid key for an active subscription.';

export const gatewayResponses = {
	missingKey: response(
		401,
		'Access denied due to missing subscription key. Make sure to include subscription key when making requests to an API.',
		asksForKey,
	),
	wrongKey: response(401, invalidKey, asksForKey),
	/** From an owner who has changed the texts. */
	wrongKeyInOtherWords: response(401, 'Zugriff verweigert.', asksForKey),
	/** Behind a proxy that removes such headers. */
	wrongKeyWithoutHeader: response(401, invalidKey),
	rateLimit: response(429, 'Rate limit is exceeded. Try again in 5 seconds.', {
		'retry-after': '5',
	}),
	quota: response(403, 'Out of call volume quota. Quota will be replenished in 00:21:17.', {
		'retry-after': '1277',
	}),
	shortQuota: response(403, 'Out of call volume quota. Quota will be replenished in 00:00:07.', {
		'retry-after': '7',
	}),
	address: response(403, 'Forbidden'),
	route: response(404, 'Resource not found'),
	tooLarge: response(413, 'Request Entity Too Large'),
	failed: response(500, 'Internal server error', {}, { activityId }),
	badGateway: response(502, 'Bad gateway', {}, { activityId }),
	timeout: response(504, 'Gateway Timeout', {}, { activityId }),
} satisfies Record<string, GatewayResponse>;

export function respondAsGateway(
	response: ServerResponse,
	{ status, headers, body }: GatewayResponse,
) {
	response.writeHead(status, headers).end(JSON.stringify(body));
}
