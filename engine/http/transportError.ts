// A connection that failed → words, and whether the request may have arrived.

/** What n8n's HTTP client throws when no answer came, as far as it is read here. */
export interface TransportError {
	code?: string;
	message?: string;
	/** Node.js' ClientRequest, or that of another transport. */
	request?: object;
}

const wordsByCode: Record<string, string> = {
	ECONNREFUSED: 'nothing answers there (connection refused)',
	ENOTFOUND: 'there is no host of that name',
	EAI_AGAIN: 'the name of the host could not be looked up',
	EHOSTUNREACH: 'the host cannot be reached',
	ENETUNREACH: 'the network cannot be reached',
	ECONNRESET: 'the connection broke',
	EPIPE: 'the connection broke',
	ECONNABORTED: 'no answer came in time',
	ETIMEDOUT: 'no answer came in time',
	EPROTO: 'a secure connection (TLS) could not be set up',
	// Thrown for an aborted request; whether the user or the deadline aborted it is known where it is caught.
	ERR_CANCELED: 'no answer came in time',
};

/**
 * The words never hold a system's code: n8n replaces messages that do by advice to simply try again.
 * TLS errors come with words of their own, such as "self-signed certificate".
 */
export function connectionWords({ code = '', message = '' }: TransportError): string {
	if (code.startsWith('HPE_')) return 'what answers there does not speak HTTP';
	const isReadable = message !== '' && !/\bE[A-Z]{3,}/.test(message);
	return wordsByCode[code] ?? (isReadable ? message : 'the connection failed');
}

/** Node.js' words of a system call that failed begin with its name: this one was still connecting. */
const failedWhileConnecting = /^connect E/;

/** Codes of a connection that was never made, whatever the transport. */
const neverConnectedCodes = [
	'ECONNREFUSED',
	'ENOTFOUND',
	'EAI_AGAIN',
	'EHOSTUNREACH',
	'ENETUNREACH',
];

/**
 * Whether Node.js' own request shows that no byte of it left: it never had a socket, or its socket has written
 * nothing (a TLS socket: is not through with its handshake).
 */
function provesNothingSent(request: object): boolean {
	// Only Node.js' ClientRequest has both; another transport's request proves nothing.
	if (!('reusedSocket' in request) || !('socket' in request)) return false;
	const { socket } = request;
	if (socket === null) return true;
	if (typeof socket !== 'object') return false;
	const isHandshaking = 'secureConnecting' in socket && socket.secureConnecting === true;
	const hasWrittenNothing = '_bytesDispatched' in socket && socket._bytesDispatched === 0;
	return isHandshaking || hasWrittenNothing;
}

/**
 * Whether a byte of the request may have left this machine: yes, unless there is proof. Most codes prove
 * nothing: a connection can be reset while TLS is negotiated, or after the request.
 * @param error undefined when nothing is known of the transport
 */
export function mayHaveBeenSent(error: TransportError | undefined): boolean {
	if (neverConnectedCodes.includes(error?.code ?? '')) return false;
	if (failedWhileConnecting.test(error?.message ?? '')) return false;
	return !error?.request || !provesNothingSent(error.request);
}
