// The area "Critical infrastructure" of the interface.
import type { Area } from '../../engine/area';

export const criticalInfrastructure: Area = {
	segment: 'agencycriticalinfrastructure',
	resources: [
		{
			name: 'category',
			label: 'Category',
			operations: [
				{
					kind: 'list',
					name: 'getMany',
					label: 'Get Many',
					action: 'Get many categories',
					description: 'List the categories of critical infrastructure',
					request: 'GET /agencycriticalinfrastructure/criticalinfrastructure',
					profile: 'A',
					etag: false,
					key: 'infrastructures',
					paged: false,
				},
			],
		},
	],
};
