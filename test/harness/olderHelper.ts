// A node that sends through n8n's older request helper with the credential, as the HTTP Request node does.
import type { IDataObject, INodeType } from 'n8n-workflow';

import { AgencyShifts } from '../../nodes/AgencyShifts/AgencyShifts.node';

/** @param uri address of what it reads */
export const olderHelperNode = (uri: string): INodeType => ({
	description: { ...new AgencyShifts().description, name: 'caller', properties: [] },
	async execute() {
		const body = (await this.helpers.requestWithAuthentication.call(this, 'agencyRecordsApi', {
			method: 'GET',
			uri,
			headers: { 'Content-Type': 'application/json' },
			json: true,
			followAllRedirects: true,
		})) as IDataObject;
		return [[{ json: body }]];
	},
});
