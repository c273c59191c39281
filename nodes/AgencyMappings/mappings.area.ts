// The area "Mappings" of the interface.
import { id, operation, textList, type Area } from '../../engine/area';

export const mappings: Area = {
	resources: [
		{
			name: 'clientMapping',
			label: 'Client Mapping',
			operations: [
				operation({
					kind: 'empty',
					name: 'create',
					label: 'Create',
					action: 'Create a client mapping',
					description: 'Map personnel and stations for a client',
					request: 'POST /agencymappings/mappings/clients/{clientID}',
					profile: 'B',
					etag: false,
					ids: [id('clientID')],
					body: [
						textList('personnel', { entry: 'Person' }),
						textList('stations', { entry: 'Station' }),
					],
					output: { created: true },
					success: 201,
				}),
			],
		},
	],
};
