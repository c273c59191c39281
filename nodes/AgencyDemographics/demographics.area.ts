// The area "Demographics" of the interface.
import { id, integer, object, objectList, operation, type Area } from '../../engine/area';

const innerFields = 'JSON. The interface does not show the inner fields of this NEMSIS element.';

export const demographics: Area = {
	resources: [
		{
			name: 'yearGroup',
			label: 'Year Group',
			operations: [
				operation({
					kind: 'item',
					name: 'create',
					label: 'Create',
					action: 'Create a year group',
					description: "Add a year's demographics to an agency",
					request:
						'POST /agencydAgency/nemsis_3.4.0_demographics/dAgency/{dAgencyID}/AgencyYearGroups',
					profile: 'B',
					etag: false,
					ids: [id('dAgencyID', { label: 'DAgency ID' })],
					body: [
						object('dAgency.05', { label: 'DAgency.05', description: innerFields }),
						objectList('dAgency.06', { label: 'DAgency.06', description: innerFields }),
						objectList('dAgency.07', { label: 'DAgency.07', description: innerFields }),
						objectList('dAgency.08', { label: 'DAgency.08', description: innerFields }),
					],
					returns: integer('dAgencyAgencyYearGroupsID'),
				}),
			],
		},
	],
};
