// The area "Vendors" of the API spec.
import { integer, text, type Area } from '../../engine/area';
import { rowNumber } from '../commonFields';

export const vendors: Area = {
	resources: [
		{
			name: 'vendor',
			label: 'Vendor',
			operations: [
				{
					kind: 'list',
					name: 'getMany',
					label: 'Get Many',
					action: 'Get many vendors',
					description: 'List vendors, with their contacts',
					route: 'GET /agencyvendors/vendors',
					headerProfile: 'A',
					etag: true,
					successStatus: 200,
					rowsKey: 'vendors',
					paged: true,
					idField: 'departmentBusinessID',
					columns: [
						rowNumber,
						integer('departmentBusinessID'),
						text('category'),
						text('name'),
						text('businessType'),
						text('address1'),
						text('address2'),
						text('city'),
						text('state'),
						integer('zip', { label: 'ZIP' }),
						text('contactName'),
						text('phone'),
						text('fax'),
						text('email'),
						text('url', { label: 'URL' }),
						text('notes'),
						text('archive'),
						text('rowVersion'),
					],
					simplified: [
						'departmentBusinessID',
						'name',
						'category',
						'businessType',
						'contactName',
						'phone',
						'email',
						'city',
						'state',
						'archive',
					],
				},
			],
		},
	],
};
