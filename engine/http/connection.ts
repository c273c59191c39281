// Node.js' codes for connections that failed → words, and whether the request may have arrived.

interface ConnectionFailure {
	words: string;
	/** False when no connection came about, so that nothing can have reached the service. */
	maybeSent: boolean;
}

const failures: Record<string, ConnectionFailure> = {
	ECONNREFUSED: { words: 'nothing answers there (connection refused)', maybeSent: false },
	ENOTFOUND: { words: 'there is no host of that name', maybeSent: false },
	EAI_AGAIN: { words: 'the name of the host could not be looked up', maybeSent: false },
	EHOSTUNREACH: { words: 'the host cannot be reached', maybeSent: false },
	ENETUNREACH: { words: 'the network cannot be reached', maybeSent: false },
	ECONNRESET: { words: 'the connection broke', maybeSent: true },
	ECONNABORTED: { words: 'no answer came in time', maybeSent: true },
	ETIMEDOUT: { words: 'no answer came in time', maybeSent: true },
};

/**
 * The words never hold the code itself: n8n replaces messages that do by advice to simply try again.
 * @param cause the system's error, with a code such as ECONNREFUSED
 */
export const connectionFailure = (
	cause: { code?: string; message?: string } = {},
): ConnectionFailure =>
	failures[cause.code ?? ''] ?? {
		words: cause.message ?? 'the connection failed',
		maybeSent: true,
	};
