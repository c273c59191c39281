// Reads the error of a request without a response: the cause in words, and whether the request may have been sent.
import type { IN8nHttpFullResponse } from 'n8n-workflow';

/** The fields that are read from an error of n8n's HTTP client. */
export interface TransportError {
	code?: string;
	message?: string;
	/** The ClientRequest of Node.js, or another transport's request. */
	request?: object;
	/** A response with a status that n8n's HTTP client treats as an error. */
	response?: Pick<IN8nHttpFullResponse, 'headers'> & { status: number; data: unknown };
}

/** Where to set a variable of n8n's environment. */
const whereToSet = 'on the machines of the main process and each worker';

export const adviceProxyPassword = `Put the proxy's user name and password into HTTPS_PROXY in n8n's environment, ${whereToSet}.`;
const adviceProxyRules = `Ask whoever runs the proxy to allow this address, or name it in NO_PROXY in n8n's environment, ${whereToSet}.`;
const adviceAllow = `Ask your n8n administrator to allow the address (N8N_SSRF_ALLOWED_HOSTNAMES or N8N_SSRF_ALLOWED_IP_RANGES, ${whereToSet}).`;
const adviceAuthority = `Get that authority's certificate and set NODE_EXTRA_CA_CERTS to its file in n8n's environment, ${whereToSet}.`;
const adviceCertificate = "Ask the host's owner for one that is valid today, and for this host.";

/** Why a connection failed, and the advice if there is any. */
interface ConnectionFault {
	words: string;
	advice?: string;
	/** Whether a retry would fail in the same way. */
	isFinal?: boolean;
}

/** n8n's protection against requests to internal addresses (N8N_SSRF_PROTECTION_ENABLED) acts before any connection. */
const blockedByN8n = /^The request was blocked because /;

/** Error codes for a certificate from an authority that Node.js does not know. */
const unknownAuthority = /SELF_SIGNED_CERT|^UNABLE_TO_(?:GET_ISSUER_CERT|VERIFY_LEAF_SIGNATURE)/;

/**
 * Reasons by Node.js error code, or by message; the first match counts. '' stands for the error's own message, such as
 * "certificate has expired". What needs its own advice would fail in the same way again.
 */
const reasons: ReadonlyArray<readonly [sign: RegExp, words: string, advice?: string]> = [
	[/^ECONNREFUSED$/, 'nothing is listening there (connection refused)'],
	[/^ENOTFOUND$/, 'there is no host with that name'],
	[/^EAI_AGAIN$/, 'the host name could not be looked up'],
	[/^E(HOST|NET)UNREACH$/, 'the host cannot be reached'],
	[/^(ECONNRESET|EPIPE)$/, 'the connection broke'],
	// An aborted request throws ERR_CANCELED (axios). The caller knows whether the user or the deadline aborted it.
	[/^(ECONNABORTED|ETIMEDOUT|ERR_CANCELED)$/, 'no response came in time'],
	[/^EPROTO$/, 'a secure connection (TLS) could not be set up'],
	[/^CERT_/, '', adviceCertificate],
	[/^ERR_TLS_CERT_ALTNAME_INVALID$/, 'the certificate is for another host', adviceCertificate],
	[unknownAuthority, 'n8n does not know who issued the certificate', adviceAuthority],
	[blockedByN8n, '', adviceAllow],
	[/^HPE_HEADER_OVERFLOW$/, 'the headers of the response are too large for n8n'],
	[/^HPE_/, 'the server there does not speak HTTP'],
];

/** The port or host that Node.js failed to reach, from the message of its system call. */
const unreachable = /^connect E\w+ .*?:(\d+)(?: |$)|^getaddrinfo E\w+ (\S+)/;

/** A proxy that refuses a tunnel to the service responds to CONNECT with a status other than 2xx (RFC 9110 §9.3.6). */
const refusedByProxy = (status: number): ConnectionFault => ({
	words: `the proxy refused the connection (status ${status})`,
	advice: status === 407 ? adviceProxyPassword : adviceProxyRules,
	isFinal: status < 500,
});

/**
 * The words never contain a system error code, because n8n replaces a message that contains one with advice to simply
 * try again (n8n-workflow 2.41, node.error.ts, COMMON_ERRORS).
 * @param baseUrl the intended address; if another one could not be reached, it is a proxy's
 */
export function connectionFault(thrown: unknown, baseUrl: string): ConnectionFault {
	const { code = '', message = '', response } = thrown as TransportError;
	if (response) return refusedByProxy(response.status);
	const reason = reasons.find(([sign]) => sign.test(code) || sign.test(message));
	const ownWords = /^$|\bE[A-Z]{3,}/.test(message) ? 'the connection failed' : message;
	const [, known, advice] = reason ?? [];
	const words = known || ownWords;
	const { protocol, hostname, port } = new URL(baseUrl);
	const [, triedPort, triedName] = unreachable.exec(message) ?? [];
	const isOtherPort = triedPort && triedPort !== (port || (protocol === 'https:' ? '443' : '80'));
	if (isOtherPort || (triedName && triedName.toLowerCase() !== hostname))
		return {
			words: `cannot reach the proxy ${triedName ?? `on port ${triedPort}`}: ${words}`,
			advice: `Check HTTPS_PROXY and NO_PROXY in n8n's environment, ${whereToSet}.`,
		};
	return { words, advice, isFinal: advice !== undefined };
}

/** Only a host name's look-up fails with these codes, and it precedes the connection. */
const lookupCodes = ['ENOTFOUND', 'EAI_AGAIN'];

/**
 * The message of a connection that was never made. Node.js begins a failed system call's message with the call's name;
 * an error for several addresses has no message of its own. The code alone proves nothing: if a firewall begins to
 * reject the packets of a connection that has carried the request, Linux ends it with "read ECONNREFUSED".
 */
const failedWhileConnecting = /^connect E/;
const severalAddresses = ['', 'Error', 'AggregateError'];

/**
 * Whether a Node.js request proves that none of its bytes was sent: it never had a socket, its socket has written
 * nothing, or its TLS socket has not finished the handshake.
 */
function provesNothingSent(request: object): boolean {
	// Only Node.js's ClientRequest has both properties; another transport's request proves nothing.
	if (!('reusedSocket' in request) || !('socket' in request)) return false;
	const socket = request.socket as { secureConnecting?: boolean; _bytesDispatched?: number } | null;
	return socket === null || socket?.secureConnecting === true || socket?._bytesDispatched === 0;
}

/**
 * Whether any byte of the request may have left this machine: true unless there is proof that none did. Most error
 * codes prove nothing, since a connection can be reset during the TLS handshake as well as after the request.
 * @param error undefined if nothing is known of the transport
 */
export function mayHaveBeenSent(error: unknown): boolean {
	const { code = '', message = '', request } = (error ?? {}) as TransportError;
	if (lookupCodes.includes(code) || failedWhileConnecting.test(message)) return false;
	if (blockedByN8n.test(message)) return false;
	if (code === 'ECONNREFUSED' && severalAddresses.includes(message)) return false;
	return !request || !provesNothingSent(request);
}

/**
 * The service's response from an error of n8n's HTTP client. If a proxy refuses the tunnel, it responds in place of the
 * service and the request was never sent, so its response does not count.
 * @throws the error itself if it holds no response from the service
 */
export function responseIn(error: Error & TransportError): IN8nHttpFullResponse {
	const { response, request } = error;
	if (!response || (request && provesNothingSent(request))) throw error;
	const { status: statusCode, headers, data } = response;
	return { statusCode, headers, body: data as IN8nHttpFullResponse['body'] };
}
