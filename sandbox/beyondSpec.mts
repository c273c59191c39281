// What the API spec does not have, although services with its interface do: lists of what it creates, and of the records
// that its writes refer to by their IDs.
import type { FastifyInstance, RouteOptions } from 'fastify';

import { handlerOf } from './areas.mts';
import { openApiRoutes, operationIdOf } from './openapiRoutes.mts';
import {
	creates,
	deleteRecord,
	getRecord,
	lists,
	patchRecord,
	type Handler,
	type HandlerContext,
} from './operations.mts';

/** By path: the kind of the records, the name of the list, and the field of the ID. */
const otherLists: Record<string, [kind: string, rowsKey: string, idField: string]> = {
	'/agencyincidents/incidents': ['incident', 'incidents', 'incidentID'],
	'/agencyincidents/incidents/exposures': ['exposure', 'exposures', 'exposureID'],
	'/agencyusers/users': ['user', 'users', 'userID'],
	'/agencyevents/events': ['event', 'events', 'eventsID'],
	'/agencystations/stations': ['station', 'stations', 'stationID'],
};

const lastSegment = (url: string): string =>
	url.split('/').findLast((segment) => !segment.startsWith(':'))!;

/** Adds the routes. Where the dialects have none of them, they are answered like any unknown path. */
export async function addRoutesBeyondSpec(
	app: FastifyInstance,
	context: HandlerContext,
): Promise<void> {
	const routes = await openApiRoutes();
	const { querystring } = routes.find(({ url }) => url === '/agencyvendors/vendors')!.schema as {
		querystring: { properties: object };
	};
	const orderby = { type: 'string' };
	const properties = { ...querystring.properties, orderby };
	const add = (
		method: RouteOptions['method'],
		url: string,
		handle: Handler,
		query?: object,
	): FastifyInstance => {
		const names = [...url.matchAll(/:(\w+)/g)].map(([, name]) => [name!, { type: 'integer' }]);
		const params = { type: 'object', properties: Object.fromEntries(names) as object };
		const schema = { params, ...(query && { querystring: query }) };
		const config = { isBeyondSpec: true } as object;
		const handler: RouteOptions['handler'] = (request, reply) => handle(context, request, reply);
		return app.route({ method, url, schema, config, handler });
	};
	const addList = (url: string, kind: string, rowsKey: string, idField: string) => {
		const [, parent] = /:(\w+)/.exec(url) ?? [];
		const list = lists(
			kind,
			rowsKey,
			({ id, data, rowVersion }) => ({ [idField]: id, ...data, rowVersion }),
			parent,
		);
		add('GET', url, list, { ...querystring, properties });
		const record = `${url}/:recordID`;
		add('GET', record, getRecord(kind, idField));
		add('PATCH', record, patchRecord(kind));
		add('DELETE', record, deleteRecord(kind));
	};
	for (const { url, schema } of routes) {
		const { created } = handlerOf(operationIdOf(schema));
		if (created) addList(url, created.kind, lastSegment(url), created.idField);
	}
	for (const [url, [kind, rowsKey, idField]] of Object.entries(otherLists)) {
		addList(url, kind, rowsKey, idField);
		add('POST', url, creates(kind, idField));
	}
}
