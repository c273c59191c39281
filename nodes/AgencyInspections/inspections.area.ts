// The area "Inspections" of the API spec.
import { id, type Area } from '../../engine/area';

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
					action: 'Archive an inspection answer',
					description: 'Archive one answer of an inspection; it is not deleted',
					route: 'DELETE /agencyinspections/inspections/{inspectionID}/answers/{answerID}',
					headerProfile: 'A',
					etag: true,
					successStatus: 204,
					ids: [
						id('inspectionID', { description: 'ID of the inspection that the answer belongs to' }),
						id('answerID', { description: 'ID of the answer to archive' }),
					],
					output: { archived: true },
				},
			],
		},
	],
};
