// The gateway in front of the service: it checks the subscription key and limits the number of requests.
import type { FastifyRequest } from 'fastify';

import { incidentsKey } from './accounts.mts';
import type { Dialects } from './dialects.mts';
import { ErrorResponse, oauthError, unauthorized } from './errorResponses.mts';
import type { HandlerContext } from './operations.mts';
import { isTokenOperation } from './validation.mts';

interface Limit {
	requests: number;
	seconds: number;
}

/** By the option of the dialect `rate` or `quota`. */
const limits: Partial<Record<Dialects['rate'] | Dialects['quota'], Limit>> = {
	of20In10s: { requests: 20, seconds: 10 },
	of100In1h: { requests: 100, seconds: 3600 },
};

/** The paths of the product that the key for incidents belongs to. */
const ofIncidents = /^\/(?:auth|refreshtoken|agencyincidents|agencyusers\b)/;

/** Counts requests in a fixed window: a burst at its end may be followed by one in the next. */
class RequestWindow {
	private began = -Infinity;
	private requests = 0;

	/** @returns seconds until the request is let through; 0 for one that is */
	count(limit?: Limit): number {
		if (!limit) return 0;
		const now = performance.now();
		if (now - this.began >= limit.seconds * 1000) {
			this.began = now;
			this.requests = 0;
		}
		if (this.requests >= limit.requests) {
			return Math.ceil((this.began - now) / 1000 + limit.seconds);
		}
		this.requests++;
		return 0;
	}
}

/** Bodies and headers: Microsoft's documentation of API Management. */
const azureResponse = (
	statusCode: number,
	message: string,
	headers?: Record<string, string>,
): ErrorResponse => new ErrorResponse(statusCode, { statusCode, message }, headers);

const azureKeyRefused = (key: unknown): ErrorResponse =>
	azureResponse(
		401,
		key === undefined
			? 'Access denied due to missing subscription key. Make sure to include subscription key when making requests to an API.'
			: 'Access denied due to invalid subscription key. Make sure to provide a valid key for an active subscription.',
		{
			'WWW-Authenticate':
				'AzureApiManagementKey realm="http://127.0.0.1/",name="Ocp-Apim-Subscription-Key",type="header"',
		},
	);

const plainKeyRefused = (url: string): ErrorResponse => {
	const unknownKey = 'The subscription key is not known to the service';
	return isTokenOperation(url)
		? oauthError('invalid_request', unknownKey)
		: unauthorized(unknownKey);
};

/** `00:21:17` */
const clock = (seconds: number): string => new Date(seconds * 1000).toISOString().slice(11, 19);

export class Gateway {
	private readonly state: Pick<HandlerContext, 'accounts' | 'dialects'>;
	private readonly rate = new RequestWindow();
	private readonly quota = new RequestWindow();
	private readonly responded = new WeakSet<FastifyRequest>();

	constructor(state: Pick<HandlerContext, 'accounts' | 'dialects'>) {
		this.state = state;
	}

	/** Whether the gateway itself responded, so that the service never saw the request. */
	hasResponded(request: FastifyRequest): boolean {
		return this.responded.has(request);
	}

	/** @throws ErrorResponse (401, 403, 429) for a request that is not let through */
	admit(request: FastifyRequest): void {
		const key = request.headers['ocp-apim-subscription-key'];
		const isOfIncidents = key === incidentsKey && ofIncidents.test(request.url);
		if (key !== this.state.accounts.subscriptionKey && !isOfIncidents) {
			throw this.response(request, azureKeyRefused(key), plainKeyRefused(request.url));
		}
		this.limit(request, 429, this.rate.count(limits[this.state.dialects.rate]));
		this.limit(request, 403, this.quota.count(limits[this.state.dialects.quota]));
	}

	/** The response to a request that is for no operation. */
	noOperation(request: FastifyRequest): ErrorResponse {
		const errors = 'The service has no such operation';
		return this.response(
			request,
			azureResponse(404, 'Resource not found'),
			new ErrorResponse(404, { success: false, errors }),
		);
	}

	/** @param wait seconds until the request would be let through */
	private limit(request: FastifyRequest, status: 403 | 429, wait: number): void {
		if (wait === 0) return;
		const message =
			status === 429
				? `Rate limit is exceeded. Try again in ${wait} seconds.`
				: `Out of call volume quota. Quota will be replenished in ${clock(wait)}.`;
		const headers = { 'Retry-After': String(wait) };
		throw this.response(
			request,
			azureResponse(status, message, headers),
			new ErrorResponse(status, { success: false, errors: message }, headers),
		);
	}

	private response(
		request: FastifyRequest,
		azure: ErrorResponse,
		plain: ErrorResponse,
	): ErrorResponse {
		if (this.state.dialects.gateway === 'plain') return plain;
		this.responded.add(request);
		return azure;
	}
}
