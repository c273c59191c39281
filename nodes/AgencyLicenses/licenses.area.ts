// The area "Licenses" of the interface.
import { id, objects, operation, patchOperation, text, type Area } from '../../engine/area';

export const licenses: Area = {
	resources: [
		{
			name: 'license',
			label: 'License',
			operations: [
				operation({
					kind: 'bulk',
					name: 'bulkPatch',
					label: 'Bulk Patch',
					action: 'Patch licenses in bulk',
					description: 'Patch the licenses of all input items in as few requests as possible',
					request: 'PATCH /agencylicenses/licenses',
					profile: 'A',
					etag: true,
					body: [
						patchOperation,
						objects('path', [text('path', { required: true, placeholder: 'e.g. /licenses/101' })], {
							required: true,
							description: 'The licenses to patch; each path gets a result of its own',
						}),
						objects('value', [id('userID')], {
							entry: 'User',
							description: 'The users the patch is about',
						}),
					],
					pathsField: 'path',
					key: 'ok',
					statusField: 'status',
				}),
			],
		},
	],
};
