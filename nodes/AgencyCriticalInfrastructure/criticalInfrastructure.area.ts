// The area "Critical infrastructure" of the interface.
import { operation, type Area } from '../../engine/area';

export const criticalInfrastructure: Area = {
	resources: [
		{
			name: 'category',
			label: 'Category',
			operations: [
				operation({
					kind: 'list',
					name: 'getMany',
					label: 'Get Many',
					action: 'Get many categories',
					description: 'List the categories of critical infrastructure',
					request: 'GET /agencycriticalinfrastructure/criticalinfrastructure',
					headerProfile: 'A',
					etag: false,
					rowsKey: 'infrastructures',
					paged: false,
					idField: 'InfrastructureID',
					columns: ['rowNum', 'InfrastructureID', 'Infrastructure'],
				}),
			],
		},
	],
};
