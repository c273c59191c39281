// The operations of openapi.yaml as routes of Fastify, still without handlers.
import Fastify, { type RouteOptions } from 'fastify';
import openapiGlue from 'fastify-openapi-glue';

import { readOpenApi } from './openapi.mts';

export type OpenApiRoute = Pick<RouteOptions, 'method' | 'url' | 'schema'>;

async function readRoutes(): Promise<OpenApiRoute[]> {
	const routes: OpenApiRoute[] = [];
	const app = Fastify({ exposeHeadRoutes: false });
	app.addHook('onRoute', ({ method, url, schema }) => void routes.push({ method, url, schema }));
	await app.register(openapiGlue, {
		specification: readOpenApi(),
		operationResolver: () => () => {},
	});
	return routes;
}

let routes: Promise<OpenApiRoute[]> | undefined;

/** The document is checked and resolved once for all sandboxes of a process. */
export const openApiRoutes = (): Promise<OpenApiRoute[]> => (routes ??= readRoutes());

/** The operationId of a route's schema; '' for a route that is not in the document. */
export const operationIdOf = (schema: unknown): string =>
	(schema as { operationId?: string } | undefined)?.operationId ?? '';
