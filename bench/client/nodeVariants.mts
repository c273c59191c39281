// The compared variants, each with its node and parameters.
import type { INodeParameters } from 'n8n-workflow';

import {
	httpRequest,
	ours,
	oursAgain,
	oursFixed,
	oursOnce,
	plain,
	plainAgain,
	type Workload,
} from '../measures.mts';
import { httpRequestType, httpRequestVersion } from './httpRequestNode.mts';
import { plainNodeType } from './plainNode.mts';

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

/** @param url of the service */
const plainCreate = (url: string): NodeVariant => ({
	type: plainNodeType,
	typeVersion: 1,
	parameters: { url: `${url}${createPath}` },
});

const create = own('agencyShiftSchedules', { specifyFields: 'inputItem' });

/** The node variants by workload and by variant. */
export const nodeVariants = (url: string): Record<Workload, Record<string, NodeVariant>> => ({
	create: {
		[ours]: create,
		[oursAgain]: create,
		[oursFixed]: create,
		[oursOnce]: own('agencyShiftSchedules', {
			specifyFields: 'inputItem',
			options: { sendOnceKey: '={{ $json.name }}' },
		}),
		[httpRequest]: http({
			method: 'POST',
			url: `${url}${createPath}`,
			sendBody: true,
			specifyBody: 'json',
			jsonBody: '={{ $json }}',
		}),
		[plain]: plainCreate(url),
		[plainAgain]: plainCreate(url),
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
