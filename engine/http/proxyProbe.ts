// Finds out whether n8n would send requests to an address through a proxy. Nothing in n8n tells a node; the request that
// n8n's HTTP client makes does.
import type { IHttpRequestOptions } from 'n8n-workflow';

import type { TransportError } from './transportError';

/** To axios it looks like a Blob. Since it cannot be read, the request fails before any byte of it is sent. */
const unreadableBody = {
	[Symbol.toStringTag]: 'Blob',
	size: 1,
	stream() {
		throw new Error('This request is never sent');
	},
};

/**
 * @param httpRequest n8n's helper of that name
 * @param url an address with http; those with https reach a proxy only as a host and a port
 * @returns true where that is proved: a proxy is asked for a whole address, a service for a path (RFC 9112 §3.2)
 */
export async function isSentThroughProxy(
	httpRequest: (options: IHttpRequestOptions) => Promise<unknown>,
	url: string,
): Promise<boolean> {
	const options = { url, method: 'POST', body: unreadableBody, disableFollowRedirect: true };
	const error = await httpRequest(options as unknown as IHttpRequestOptions).catch(
		(thrown: TransportError) => thrown,
	);
	const { path } = ((error as TransportError).request ?? {}) as { path?: string };
	return /^http:/.test(path ?? '');
}
