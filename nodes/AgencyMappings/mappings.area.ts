// The area "Mappings" of the API spec.
import { textList, type Area } from '../../engine/area';
import { unlistedId } from '../commonFields';

export const mappings: Area = {
	resources: [
		{
			name: 'clientMapping',
			label: 'Client Mapping',
			operations: [
				{
					kind: 'empty',
					name: 'create',
					label: 'Create',
					action: 'Create client mapping',
					description: 'Map personnel and stations for a client',
					route: 'POST /agencymappings/mappings/clients/{clientID}',
					headerProfile: 'B',
					etag: false,
					successStatus: 201,
					ids: [unlistedId('clientID', 'ID of the client to map for')],
					body: [
						textList('personnel', {
							entryLabel: 'Person',
							description:
								'People to map, one per entry, or a list from an expression. The service does not say how to name them.',
							example: ['1042', '1043'],
						}),
						textList('stations', {
							entryLabel: 'Station',
							description:
								'Stations to map, one per entry, or a list from an expression. The service does not say how to name them.',
							example: ['4', '7'],
						}),
					],
					output: { created: true },
				},
			],
		},
	],
};
