// Reads the error of a request that the service did not answer: says in words what happened, and whether the request
// may have been sent.
import type { IN8nHttpFullResponse } from 'n8n-workflow';

/** The part that is read here of what n8n's HTTP client throws. */
export interface TransportError {
	code?: string;
	message?: string;
	/** The ClientRequest of Node.js, or the request of another transport. */
	request?: object;
	/** A response whose status is an error to n8n's HTTP client. */
	response?: Pick<IN8nHttpFullResponse, 'headers'> & { status: number; data: unknown };
}

/** The first whose codes of Node.js fit counts. */
const wordsByCode: ReadonlyArray<readonly [codes: RegExp, words: string]> = [
	[/^ECONNREFUSED$/, 'nothing is listening there (connection refused)'],
	[/^ENOTFOUND$/, 'there is no host with that name'],
	[/^EAI_AGAIN$/, 'the host name could not be looked up'],
	[/^E(HOST|NET)UNREACH$/, 'the host cannot be reached'],
	[/^(ECONNRESET|EPIPE)$/, 'the connection broke'],
	// An aborted request throws ERR_CANCELED. Whether the user or the deadline aborted it is known where it is caught.
	[/^(ECONNABORTED|ETIMEDOUT|ERR_CANCELED)$/, 'no response came in time'],
	[/^EPROTO$/, 'a secure connection (TLS) could not be set up'],
	[/^CERT_(?:HAS_EXPIRED|NOT_YET_VALID)$/, 'the certificate has expired or is not valid yet'],
	[/^ERR_TLS_CERT_ALTNAME_INVALID$/, 'the certificate is for another host'],
	[/^HPE_HEADER_OVERFLOW$/, 'the headers of the response are too large for n8n'],
	[/^HPE_/, 'the server there does not speak HTTP'],
];

/**
 * Says in words why a connection failed. The words never contain a system error code, because n8n replaces a
 * message that contains one with advice to simply try again. TLS errors keep their own message, such as
 * "self-signed certificate".
 */
export function connectionWords({ code = '', message = '' }: TransportError): string {
	const [, words] = wordsByCode.find(([codes]) => codes.test(code)) ?? [];
	const isMessageReadable = message !== '' && !/\bE[A-Z]{3,}/.test(message);
	return words ?? (isMessageReadable ? message : 'the connection failed');
}

/** What is tried to be reached, by the message of a failed system call of Node.js. */
const unreachable = /^connect E\w+ .*?:(\d+)(?: |$)|^getaddrinfo E\w+ (\S+)/;

/** Where a variable of n8n's environment has to be set. */
const onEach = 'on the machines of the main process and each worker';

/** The codes of a certificate whose authority Node.js does not know; trying again changes nothing. */
const unknownAuthority = /SELF_SIGNED_CERT|^UNABLE_TO_(?:GET_ISSUER_CERT|VERIFY_LEAF_SIGNATURE)/;

/** Why a connection failed, and what to do about it where that is known. */
interface ConnectionFault {
	words: string;
	advice?: string;
	/** Whether another try would end in the same way. */
	isFinal?: boolean;
}

/** n8n's protection against requests to internal addresses (N8N_SSRF_PROTECTION_ENABLED) comes before any connection. */
const blockedByN8n = /^The request was blocked because /;

export const adviceProxyPassword = `Put the proxy's user name and password into HTTPS_PROXY in n8n's environment, ${onEach}.`;

/** A proxy that makes no tunnel to the service answers CONNECT with a status other than 2xx (RFC 9110 §9.3.6). */
const refusedByProxy = (status: number): ConnectionFault => ({
	words: `the proxy refused the connection (status ${status})`,
	advice:
		status === 407
			? adviceProxyPassword
			: `Ask whoever runs the proxy to admit this address, or name it in NO_PROXY in n8n's environment, ${onEach}.`,
	isFinal: status < 500,
});

/** @param baseUrl what was to be reached; where something else could not be reached, it is a proxy */
export function connectionFault(thrown: unknown, baseUrl: string): ConnectionFault {
	const error = thrown as TransportError;
	const words = connectionWords(error);
	if (error.response) return refusedByProxy(error.response.status);
	if (blockedByN8n.test(words))
		return {
			words,
			advice: `Ask your n8n administrator to allow the address (N8N_SSRF_ALLOWED_HOSTNAMES or N8N_SSRF_ALLOWED_IP_RANGES, ${onEach}).`,
			isFinal: true,
		};
	const { protocol, hostname, port } = new URL(baseUrl);
	const [, triedPort, triedName] = unreachable.exec(error.message ?? '') ?? [];
	const isOtherPort = triedPort && triedPort !== (port || (protocol === 'https:' ? '443' : '80'));
	if (isOtherPort || (triedName && triedName.toLowerCase() !== hostname))
		return {
			words: `cannot reach the proxy ${triedName ?? `on port ${triedPort}`}: ${words}`,
			advice: `Check HTTPS_PROXY and NO_PROXY in n8n's environment, ${onEach}.`,
		};
	if (/^CERT_|^ERR_TLS_CERT_/.test(error.code ?? '')) {
		const advice = `Ask the owner of ${hostname} for a certificate that is valid today, and for this host.`;
		return { words, advice, isFinal: true };
	}
	if (!unknownAuthority.test(error.code ?? '')) return { words };
	return {
		words: `n8n does not know who issued the certificate (${words})`,
		advice: `Get that authority's certificate and set NODE_EXTRA_CA_CERTS to its file in n8n's environment, ${onEach}.`,
		isFinal: true,
	};
}

/** The look-up of a host's name, which comes before its connection, is all that fails with these codes. */
const lookupCodes = ['ENOTFOUND', 'EAI_AGAIN'];

/**
 * The message of a connection that was never made. Node.js begins the message of a failed system call with its name; an
 * error of several addresses has no message of its own. The code alone proves nothing: when a firewall begins to reject
 * the packets of a connection that has carried the request, Linux ends it with "read ECONNREFUSED".
 */
const failedWhileConnecting = /^connect E/;
const severalAddresses = ['', 'Error', 'AggregateError'];

/**
 * Whether the request of Node.js proves that none of its bytes was sent: it never had a socket, its socket has
 * written nothing, or its TLS socket has not finished the handshake.
 */
function provesNothingSent(request: object): boolean {
	// Only the ClientRequest of Node.js has both properties; the request of another transport proves nothing.
	if (!('reusedSocket' in request) || !('socket' in request)) return false;
	const socket = request.socket as { secureConnecting?: boolean; _bytesDispatched?: number } | null;
	return socket === null || socket?.secureConnecting === true || socket?._bytesDispatched === 0;
}

/**
 * Whether a byte of the request may have left this machine. The answer is yes unless there is proof that none
 * did. Most error codes prove nothing: a connection can be reset during the TLS handshake as well as after the
 * request.
 * @param error undefined when nothing is known of the transport
 */
export function mayHaveBeenSent(error: unknown): boolean {
	const { code = '', message = '', request } = (error ?? {}) as TransportError;
	if (lookupCodes.includes(code) || failedWhileConnecting.test(message)) return false;
	if (blockedByN8n.test(message)) return false;
	if (code === 'ECONNREFUSED' && severalAddresses.includes(message)) return false;
	return !request || !provesNothingSent(request);
}

/**
 * The service's response in an error that n8n's HTTP client throws. A proxy that makes no tunnel answers in place of the
 * service, though the request was never sent: its response is none.
 * @throws the error, where it holds no response of the service
 */
export function responseIn(error: Error & TransportError): IN8nHttpFullResponse {
	const { response, request } = error;
	if (!response || (request && provesNothingSent(request))) throw error;
	const { status: statusCode, headers, data } = response;
	return { statusCode, headers, body: data as IN8nHttpFullResponse['body'] };
}
