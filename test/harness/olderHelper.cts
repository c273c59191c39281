// A node that reads a shift with n8n's older request helper, as the HTTP Request node does. The helper signs in.
import type { IDataObject, INodeType } from 'n8n-workflow';

import { AgencyShifts } from '../../nodes/AgencyShifts/AgencyShifts.node';

/** @param url address of the service */
export const nodeWithOlderHelper = (url: string): INodeType => ({
	description: { ...new AgencyShifts().description, name: 'caller', properties: [] },
	async execute() {
		const json = (await this.helpers.requestWithAuthentication.call(this, 'agencyRecordsApi', {
			method: 'GET',
			uri: `${url}/agencyshifts/shifts/101`,
			headers: { 'Content-Type': 'application/json' },
			json: true,
			followAllRedirects: true,
		})) as IDataObject;
		return [[{ json }]];
	},
});
