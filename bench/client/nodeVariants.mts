// The compared variants that are n8n nodes, each with its parameters.
import type { IDataObject, IExecuteFunctions, INodeParameters, INodeType } from 'n8n-workflow';

import { bareLoop, httpRequest, ours, oursAgain, oursOnce, type Workload } from '../goals.mts';
import { httpRequestType, httpRequestVersion } from './httpRequestNode.mts';

export interface NodeVariant {
	type: string;
	typeVersion: number;
	parameters: INodeParameters;
}

const pageSize = 1000;
const createPath = '/agencyshiftschedules/shiftschedules';

const own = (name: string, parameters: INodeParameters): NodeVariant => ({
	type: `n8n-nodes-agency-records.${name}`,
	typeVersion: 1,
	parameters,
});

const http = (parameters: INodeParameters): NodeVariant => ({
	type: httpRequestType,
	typeVersion: httpRequestVersion,
	parameters: {
		authentication: 'predefinedCredentialType',
		nodeCredentialType: 'agencyRecordsApi',
		...parameters,
	},
});

export const loopType = 'bench.loop';

/** How many requests the bare loop has in flight: the most that this package has. */
const concurrency = 256;

/** A node that does nothing but call n8n's request helper for each item, at full concurrency from the start. */
export const loopNode = (baseURL: string): INodeType => ({
	description: {
		displayName: 'Loop',
		name: 'loop',
		group: ['output'],
		version: 1,
		description: '',
		defaults: {},
		inputs: ['main'],
		outputs: ['main'],
		credentials: [{ name: 'agencyRecordsApi', required: true }],
		properties: [],
	},
	async execute(this: IExecuteFunctions) {
		const items = this.getInputData();
		const created: IDataObject[] = [];
		let next = 0;
		const workOnItems = async () => {
			while (next < items.length) {
				const at = next++;
				created[at] = (await this.helpers.httpRequestWithAuthentication.call(
					this,
					'agencyRecordsApi',
					{ method: 'POST', url: `${baseURL}${createPath}`, body: items[at]!.json },
				)) as IDataObject;
			}
		};
		await Promise.all(Array.from({ length: concurrency }, workOnItems));
		return [created.map((json, item) => ({ json, pairedItem: { item } }))];
	},
});

const expressions = {
	name: '={{ $json.name }}',
	fromDate: '={{ $json.fromDate }}',
	toDate: '={{ $json.toDate }}',
	stationNumber: '={{ $json.stationNumber }}',
};

const untilAPageIsShort = {
	paginationMode: 'updateAParameterInEachRequest',
	parameters: {
		parameters: [{ type: 'qs', name: 'offset', value: `={{ $pageCount * ${pageSize} }}` }],
	},
	paginationCompleteWhen: 'other',
	completeExpression: `={{ $response.body.vendors.length < ${pageSize} }}`,
};

const create = own('agencyShiftSchedules', { specifyFields: 'inputItem' });

/** The node variants by workload and by variant. */
export const nodeVariants = (url: string): Record<Workload, Record<string, NodeVariant>> => ({
	create: {
		[ours]: create,
		[oursAgain]: create,
		[oursOnce]: own('agencyShiftSchedules', {
			specifyFields: 'inputItem',
			options: { sendOnceKey: '={{ $json.name }}', sendOnceRemember: 100_000 },
		}),
		[httpRequest]: http({
			method: 'POST',
			url: `${url}${createPath}`,
			sendBody: true,
			specifyBody: 'json',
			jsonBody: '={{ $json }}',
		}),
		[bareLoop]: { type: loopType, typeVersion: 1, parameters: {} },
	},
	expressions: {
		[ours]: own('agencyShiftSchedules', { fields: expressions }),
		[httpRequest]: http({
			method: 'POST',
			url: `${url}${createPath}`,
			sendBody: true,
			bodyParameters: {
				parameters: Object.entries(expressions).map(([name, value]) => ({ name, value })),
			},
		}),
	},
	patches: {
		[ours]: own('agencyLicenses', { specifyFields: 'inputItem' }),
		[httpRequest]: http({
			method: 'PATCH',
			url: `${url}/agencylicenses/licenses`,
			sendBody: true,
			specifyBody: 'json',
			jsonBody: '={{ [$json] }}',
		}),
	},
	list: {
		[ours]: own('agencyVendors', { returnAll: true }),
		[httpRequest]: http({
			url: `${url}/agencyvendors/vendors`,
			sendQuery: true,
			queryParameters: { parameters: [{ name: 'limit', value: String(pageSize) }] },
			options: { pagination: { pagination: untilAPageIsShort } },
		}),
	},
	upload: {
		[ours]: own('agencyFiles', {}),
		[httpRequest]: http({
			method: 'POST',
			url: `${url}/agencyfiles/files`,
			sendBody: true,
			contentType: 'multipart-form-data',
			bodyParameters: {
				parameters: [{ parameterType: 'formBinaryData', name: 'file', inputDataFieldName: 'data' }],
			},
		}),
	},
});

/** The size of a list's pages is a setting of the credential. */
export const credentialSettings = { pageSize };
