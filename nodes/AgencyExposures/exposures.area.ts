// The area "Wildland fire exposures" of the API spec.
import { integer, text, uuid, type Area } from '../../engine/area';
import { unlistedId } from '../commonFields';

export const exposures: Area = {
	resources: [
		{
			name: 'wildlandFire',
			label: 'Wildland Fire',
			operations: [
				{
					kind: 'single',
					name: 'create',
					label: 'Create',
					action: 'Create wildland fire',
					description: 'Add a wildland fire record to an exposure',
					route: 'POST /agencyexposures/{exposureID}/NASFWildlandFires',
					headerProfile: 'A',
					etag: true,
					successStatus: 201,
					ids: [unlistedId('exposureID', 'ID of the exposure that the fire belongs to')],
					body: [
						text('IncidentName', {
							required: true,
							description: 'Name of the incident',
							example: 'Ridge Road Fire',
						}),
						text('District', {
							description: 'District in which the fire burned',
							example: 'North',
						}),
						integer('StatisticalCause', {
							standsFor: 'code',
							description: 'Code of the cause. The codes are not documented.',
							example: 1,
						}),
						text('Ownership', {
							description: 'Who owns the land that burned. The values are not documented.',
							example: 'Private',
						}),
						integer('AgencyInvolvement', {
							standsFor: 'code',
							description:
								"Code of the agency's role in fighting the fire. The codes are not documented.",
							example: 1,
						}),
						integer('FinalFireAcreage', {
							description: 'Final acreage burned, as a whole number',
							example: 12,
						}),
						integer('ResidencesThreatened', {
							description: 'How many homes were in danger',
							example: 3,
						}),
						integer('ResidencesDestroyed', {
							description: 'How many homes were destroyed',
							example: 0,
						}),
						integer('OtherStructuresThreatened', {
							description: 'How many other buildings, such as barns and sheds, were in danger',
							example: 2,
						}),
						integer('OtherStructuresDestroyed', {
							description: 'How many other buildings, such as barns and sheds, were destroyed',
							example: 1,
						}),
						uuid('IrwinID', {
							label: 'IRWIN ID',
							description:
								'ID of the fire in the Integrated Reporting of Wildland-Fire Information (IRWIN)',
							example: '3f2504e0-4f89-41d3-9a0c-0305e82c3301',
						}),
					],
					returns: integer('NASFWildlandFireID'),
				},
			],
		},
	],
};
