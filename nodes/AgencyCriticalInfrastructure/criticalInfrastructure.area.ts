// The area "Critical infrastructure" of the API spec.
import { integer, text, type Area } from '../../engine/area';
import { rowNumber } from '../commonFields';

export const criticalInfrastructure: Area = {
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
					route: 'GET /agencycriticalinfrastructure/criticalinfrastructure',
					headerProfile: 'A',
					etag: false,
					successStatus: 200,
					rowsKey: 'infrastructures',
					paged: false,
					idField: 'InfrastructureID',
					columns: [rowNumber, integer('InfrastructureID'), text('Infrastructure')],
				},
			],
		},
	],
};
