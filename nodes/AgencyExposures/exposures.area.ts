// The area "Wildland fire exposures" of the interface.
import { id, integer, operation, text, uuid, type Area } from '../../engine/area';

export const exposures: Area = {
	resources: [
		{
			name: 'wildlandFire',
			label: 'Wildland Fire',
			operations: [
				operation({
					kind: 'item',
					name: 'create',
					label: 'Create',
					action: 'Create a wildland fire',
					description: 'Add a wildland fire record to an exposure',
					request: 'POST /agencyexposures/{exposureID}/NASFWildlandFires',
					profile: 'A',
					etag: true,
					ids: [id('exposureID')],
					body: [
						integer('AgencyInvolvement'),
						text('District'),
						integer('FinalFireAcreage', { description: 'Acres burned in the end' }),
						text('IncidentName', { placeholder: 'e.g. Ridge Road Fire' }),
						uuid('IrwinID', {
							description:
								'ID of the fire in the Integrated Reporting of Wildland-Fire Information',
						}),
						integer('OtherStructuresDestroyed'),
						integer('OtherStructuresThreatened'),
						text('Ownership'),
						integer('ResidencesDestroyed'),
						integer('ResidencesThreatened'),
						integer('StatisticalCause'),
					],
					returns: integer('NASFWildlandFireID'),
				}),
			],
		},
	],
};
