// The area "Inspections" of the API spec.
import type { Area } from '../../engine/area';
import { unlistedId } from '../commonFields';

export const inspections: Area = {
	resources: [
		{
			name: 'inspectionAnswer',
			label: 'Inspection Answer',
			operations: [
				{
					kind: 'empty',
					name: 'archive',
					label: 'Archive',
					action: 'Archive inspection answer',
					description: 'Archive one answer of an inspection; it is not deleted',
					route: 'DELETE /agencyinspections/inspections/{inspectionID}/answers/{answerID}',
					headerProfile: 'A',
					etag: true,
					successStatus: 204,
					ids: [
						unlistedId('inspectionID', 'ID of the inspection that the answer belongs to'),
						unlistedId('answerID', 'ID of the answer to archive'),
					],
					output: { archived: true },
				},
			],
		},
	],
};
