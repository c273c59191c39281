// The area "Files" of the API spec.
import { dateTime, integer, text, type Area } from '../../engine/area';

export const files: Area = {
	resources: [
		{
			name: 'file',
			label: 'File',
			operations: [
				{
					kind: 'upload',
					name: 'upload',
					label: 'Upload',
					action: 'Upload file',
					description: "Add a file of any size to the agency's records",
					route: 'POST /agencyfiles/files',
					headerProfile: 'A',
					etag: true,
					successStatus: 201,
					returns: text('fileGUID'),
					alsoReturns: [
						text('fileContentType'),
						dateTime('fileLastModified'),
						integer('fileSize'),
						dateTime('fileCreated'),
						text('fileName'),
						text('fileData'),
					],
					sizeField: 'fileSize',
				},
			],
		},
	],
};
