// Requests for operations that the API spec does not show: the item gives path and body. Nothing else is known about
// them but what HTTP says about their methods.
import { address, type Area, type EmptyOperation } from '../../engine/area';

const path = address('path', {
	required: true,
	example: '/agencyshifts/shifts/101',
	description:
		'The path of the request, appended to the Base URL as is. It may end with a query, such as ?year=2026.',
});

/** An empty filter in the query asks for all rows. */
const pathToRead = { ...path, mayBeEmpty: true };

const common = { headerProfile: 'A', etag: true } as const;

/** @param done the output field that is true if the response has no body */
const request = (
	method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
	label: string,
	description: string,
	done: string,
): EmptyOperation => ({
	...common,
	ids: [method === 'GET' ? pathToRead : path],
	kind: 'empty',
	name: method.toLowerCase(),
	label,
	action: `Send a ${method} request`,
	description,
	route: `${method} {+path}`,
	output: { [done]: true },
});

export const requests: Area = {
	resources: [
		{
			name: 'request',
			label: 'Request',
			operations: [
				request('DELETE', 'Delete', 'Send a DELETE request, which removes a record', 'deleted'),
				request('GET', 'Get', 'Send a GET request, which reads one object', 'noContent'),
				{
					...common,
					ids: [pathToRead],
					kind: 'list',
					name: 'getMany',
					label: 'Get Many',
					action: 'Get the rows of any list',
					description:
						'Read a list with GET requests, page by page, and return its rows one by one',
					route: 'GET {+path}',
					rowsKey: '',
					paged: true,
					columns: [],
				},
				request('PATCH', 'Patch', 'Send a PATCH request, which changes a record', 'updated'),
				request('POST', 'Post', 'Send a POST request, which creates a record', 'sent'),
				request('PUT', 'Put', 'Send a PUT request, which replaces a record', 'updated'),
			],
		},
	],
};
