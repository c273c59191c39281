// The area "Files" of the interface.
import { operation, text, type Area } from '../../engine/area';

export const files: Area = {
	resources: [
		{
			name: 'file',
			label: 'File',
			operations: [
				operation({
					kind: 'upload',
					name: 'upload',
					label: 'Upload',
					action: 'Upload a file',
					description: 'Send the file of an input item, of any size',
					request: 'POST /agencyfiles/files',
					headerProfile: 'A',
					etag: true,
					returns: text('fileGUID'),
				}),
			],
		},
	],
};
