// Operations that the API spec lacks although services with its interface have them: lists of created records, and of
// the records that writes refer to by ID.
import type { FastifyInstance, RouteOptions } from 'fastify';

import { handlerOf } from './areas.mts';
import { openApiRoutes, operationIdOf } from './openapiRoutes.mts';
import {
	creates,
	deleteRecord,
	getRecord,
	lists,
	ownUser,
	patchBody,
	patchRecord,
	type Collection,
	type Handler,
	type HandlerContext,
} from './operations.mts';

/** By path: the kind of the records, the name of the list, and the field of the ID. */
const otherLists: Record<string, string> = {
	'/agencyapparatus/apparatus': 'apparatus, apparatus, departmentApparatusID',
	'/agencyclasses/classes/agencycodecategories':
		'agencyCodeCategory, agencyCodeCategories, agencyCodeCategoryID',
	'/agencyevents/events': 'event, events, eventsID',
	'/agencyevents/events/categories': 'eventCategory, eventCategories, eventCategoriesID',
	'/agencyevents/events/people': 'eventPeople, eventPeople, eventPeopleID',
	'/agencyevents/events/types': 'eventType, eventTypes, eventTypeID',
	'/agencyincidents/exposures/:exposureID/apparatuses':
		'exposureApparatus, exposureApparatuses, apparatusID',
	'/agencyincidents/exposures/:exposureID/crewmembers': 'crewMember, crewMembers, exposureUserID',
	'/agencyincidents/incidents': 'incident, incidents, incidentID',
	'/agencyincidents/incidents/exposures': 'exposure, exposures, exposureID',
	'/agencyincidents/incidents/:incidentID/exposures': 'exposure, exposures, exposureID',
	'/agencystations/stations': 'station, stations, stationID',
	'/agencyusers/users': 'user, users, userID',
};

const lastSegment = (url: string): string =>
	url.split('/').findLast((segment) => !segment.startsWith(':'))!;

/** Adds the routes. If a dialect turns them off, they get the response of any unknown path. */
export async function addRoutesBeyondSpec(
	app: FastifyInstance,
	context: HandlerContext,
): Promise<void> {
	const routes = await openApiRoutes();
	const { querystring } = routes.find(({ url }) => url === '/agencyvendors/vendors')!.schema as {
		querystring: { properties: object };
	};
	const properties = { ...querystring.properties, orderby: { type: 'string' } };
	const add = (
		method: RouteOptions['method'],
		url: string,
		handle: Handler,
		schemas: { querystring?: object; body?: object } = {},
	): FastifyInstance => {
		const names = [...url.matchAll(/:(\w+)/g)].map(([, name]) => [name!, { type: 'integer' }]);
		const params = { type: 'object', properties: Object.fromEntries(names) as object };
		const config = { isBeyondSpec: true } as object;
		const handler: RouteOptions['handler'] = (request, reply) => handle(context, request, reply);
		return app.route({ method, url, schema: { params, ...schemas }, config, handler });
	};
	const json = (schema: object) => ({ body: { content: { 'application/json': { schema } } } });
	const addList = (url: string, collection: Collection, rowsKey: string) => {
		add('GET', url, lists(collection, rowsKey), { querystring: { ...querystring, properties } });
		const record = `${url}/:recordID`;
		add('GET', record, getRecord(collection));
		add('PATCH', record, patchRecord(collection), json(patchBody));
		add('DELETE', record, deleteRecord(collection));
	};
	for (const { url, schema } of routes) {
		const { created } = handlerOf(operationIdOf(schema));
		// In the public record, the list of an event's people has another name than its path.
		if (created) addList(url, created, url.endsWith('/people') ? 'eventPeople' : lastSegment(url));
	}
	for (const [url, names] of Object.entries(otherLists)) {
		const [kind, rowsKey, idField] = names.split(', ') as [string, string, string];
		const [, parent] = /:(\w+)/.exec(url) ?? [];
		addList(url, { kind, idField, parent }, rowsKey);
		add('POST', url, creates(kind, idField, parent), json({ type: 'object' }));
	}
	add('GET', '/agencyusers/users/me', getRecord({ kind: 'user', idField: 'userID' }, ownUser));
}
