// The area "Files" of the interface.
import type { Area } from '../../engine/area';

export const files: Area = {
	segment: 'agencyfiles',
	resources: [
		{
			name: 'file',
			label: 'File',
			operations: [
				{
					kind: 'upload',
					name: 'upload',
					label: 'Upload',
					action: 'Upload a file',
					description: 'Send the file of an input item, of any size',
					request: 'POST /agencyfiles/files',
					profile: 'A',
					etag: true,
					returns: 'fileGUID',
				},
			],
		},
	],
};
