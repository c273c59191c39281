// The area "Electronic patient care record reference data" of the API spec.
import { integer, text, type Area } from '../../engine/area';
import { rowNumber } from '../commonFields';

export const nemsis3: Area = {
	resources: [
		{
			name: 'deviceCode',
			label: 'Device Code',
			operations: [
				{
					kind: 'list',
					name: 'getMany',
					label: 'Get Many',
					action: 'Get many device codes',
					description: 'List the codes of medical devices',
					route: 'GET /agencynemsis3/ddevice',
					headerProfile: 'A',
					etag: true,
					successStatus: 200,
					rowsKey: 'ddevice',
					paged: true,
					columns: [rowNumber, text('Element'), integer('Code'), text('Description')],
				},
			],
		},
	],
};
