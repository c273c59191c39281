// The area "Demographics" of the API spec.
import { integer, object, objectList, type Area } from '../../engine/area';
import { unlistedId } from '../commonFields';

const asJson = 'As JSON; the inner fields are not documented.';

export const demographics: Area = {
	resources: [
		{
			name: 'yearGroup',
			label: 'Year Group',
			operations: [
				{
					kind: 'single',
					name: 'create',
					label: 'Create',
					action: 'Create year group',
					description: "Add a year's demographics to an agency: the area it serves",
					route:
						'POST /agencydAgency/nemsis_3.4.0_demographics/dAgency/{dAgencyID}/AgencyYearGroups',
					headerProfile: 'B',
					etag: false,
					successStatus: 201,
					notice:
						'No field holds the year: where the service takes it from is not documented. Ask the service owner.',
					ids: [
						unlistedId('dAgencyID', "ID of the agency's demographics (dAgency in NEMSIS 3)", {
							label: 'dAgency ID',
						}),
					],
					body: [
						object('dAgency.05', {
							label: 'States (dAgency.05)',
							description: `EMS Agency Service Area States: the state the agency serves, by its two-digit code in NEMSIS. ${asJson}`,
							example: { state: '39' },
						}),
						objectList('dAgency.06', {
							label: 'Counties (dAgency.06)',
							description: `EMS Agency Service Area County(ies): the counties it serves, by their five-digit codes in NEMSIS. ${asJson}`,
							example: [{ county: '39049' }],
						}),
						objectList('dAgency.07', {
							label: 'Census Tracts (dAgency.07)',
							description: `EMS Agency Census Tracts: the census tracts it serves, by their eleven-digit codes in NEMSIS. ${asJson}`,
							example: [{ censusTract: '39049001100' }],
						}),
						objectList('dAgency.08', {
							label: 'ZIP Codes (dAgency.08)',
							description: `EMS Agency Service Area ZIP Codes: the ZIP codes it serves. ${asJson}`,
							example: [{ zip: '43215' }],
						}),
					],
					returns: integer('dAgencyAgencyYearGroupsID'),
				},
			],
		},
	],
};
