// The area "Vendors" of the interface.
import { operation, type Area } from '../../engine/area';

export const vendors: Area = {
	resources: [
		{
			name: 'vendor',
			label: 'Vendor',
			operations: [
				operation({
					kind: 'list',
					name: 'getMany',
					label: 'Get Many',
					action: 'Get many vendors',
					description: 'List vendors, with their addresses and contacts',
					request: 'GET /agencyvendors/vendors',
					headerProfile: 'A',
					etag: true,
					rowsKey: 'vendors',
					paged: true,
					idField: 'departmentBusinessID',
					columns: [
						'rowNum',
						'departmentBusinessID',
						'category',
						'name',
						'businessType',
						'address1',
						'address2',
						'city',
						'state',
						'zip',
						'contactName',
						'phone',
						'fax',
						'email',
						'url',
						'notes',
						'archive',
						'rowVersion',
					],
				}),
			],
		},
	],
};
