// The sandbox answers only under the names of this machine.
import type { FastifyRequest } from 'fastify';

import { ErrorResponse } from './errorResponses.mts';

const loopback = /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/i;

/** @throws ErrorResponse (421, RFC 9110 §15.5.20) for another host's name, which somebody may have pointed at this machine */
export async function requireOwnHost({ headers }: FastifyRequest): Promise<void> {
	if (loopback.test(headers.host ?? '')) return;
	throw new ErrorResponse(421, {
		success: false,
		errors: 'The sandbox answers under the name of this machine only, such as 127.0.0.1',
	});
}
