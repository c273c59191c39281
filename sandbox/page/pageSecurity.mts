// The page can change what the sandbox holds, so only browsers on this machine may use it, and no other site.
import type { FastifyReply, FastifyRequest } from 'fastify';

import { ErrorResponse } from '../errorResponses.mts';

const refused = (errors: string) => new ErrorResponse(403, { errors });

/**
 * Whether a page of another origin sent the request. Clients that are no browser do not say where they come from.
 * Sec-Fetch-Site: W3C, Fetch Metadata; Origin: RFC 6454 §7.
 */
function isFromElsewhere({ headers }: FastifyRequest): boolean {
	const { host, origin, 'sec-fetch-site': site = 'none' } = headers;
	return (
		!['same-origin', 'none'].includes(String(site)) ||
		(origin !== undefined && origin !== `http://${host}`)
	);
}

/**
 * Checks a request to the page, and sets the security headers of the response.
 * @throws ErrorResponse (403) for a request that another site sends; a person may follow a link from there
 */
export async function securePage(request: FastifyRequest, reply: FastifyReply): Promise<void> {
	const { method, headers } = request;
	reply.headers({
		'Content-Security-Policy':
			"default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; " +
			"form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
		'X-Content-Type-Options': 'nosniff',
		'Cross-Origin-Resource-Policy': 'same-origin',
		// With no-referrer, the browser would name "null" as the origin of the page's own forms.
		'Referrer-Policy': 'same-origin',
		'Cache-Control': 'no-store',
	});
	const isLink = method === 'GET' && headers['sec-fetch-mode'] === 'navigate';
	if (!isLink && isFromElsewhere(request)) {
		throw refused('The sandbox takes nothing that another site sends');
	}
}
