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
					profile: 'A',
					etag: true,
					key: 'vendors',
					paged: true,
					rowID: 'departmentBusinessID',
					columns: [
						'address1',
						'address2',
						'archive',
						'businessType',
						'category',
						'city',
						'contactName',
						'email',
						'fax',
						'name',
						'notes',
						'phone',
						'state',
						'url',
						'zip',
					],
				}),
			],
		},
	],
};
