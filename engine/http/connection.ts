// A connection that failed → words, and whether the request may have arrived.

/** What n8n's HTTP client throws when no answer came, as far as it is read here. */
export interface TransportError {
	code?: string;
	message?: string;
	/** Node.js' ClientRequest. */
	request?: {
		socket?: { _bytesDispatched?: number; secureConnecting?: boolean } | null;
	};
}

const words: Record<string, string> = {
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
	return words[code] ?? (isReadable ? message : 'the connection failed');
}

/**
 * Whether a byte of the request may have left this machine. Codes do not tell: a connection can be reset
 * while TLS is negotiated, or after the request. The socket does; what is not known counts as sent.
 * @param error undefined when nothing is known of the transport
 */
export function maybeSent(error: TransportError | undefined): boolean {
	if (!error) return true;
	const { code, request } = error;
	// Aborted just as its answer came, a request is no longer attached to the error: it was sent.
	if (!request) return code === 'ERR_CANCELED';
	const { socket } = request;
	return socket ? socket._bytesDispatched !== 0 && socket.secureConnecting !== true : false;
}
