// The ways of doing the same work that are compared, as nodes and their parameters.
import type { INode, INodeParameters } from 'n8n-workflow';

import { bareLoop, httpRequest, ours, oursContinue, oursOnce, routing } from '../names.mts';
import { httpRequestType, httpRequestVersion } from './httpRequest.mts';
import type { Kind } from './task.mts';

/** One way, as a node and its parameters. */
export interface NodeWay {
	type: string;
	parameters: INodeParameters;
	node$?: Partial<INode>;
}

export const pageSize = 1000;

const own = (name: string, parameters: INodeParameters): NodeWay => ({
	type: `n8n-nodes-agency-records.${name}`,
	parameters,
});

const http = (parameters: INodeParameters): NodeWay => ({
	type: httpRequestType,
	parameters: {
		authentication: 'predefinedCredentialType',
		nodeCredentialType: 'agencyRecordsApi',
		...parameters,
	},
	node$: { typeVersion: httpRequestVersion },
});

const expressions = {
	name: '={{ $json.name }}',
	fromDate: '={{ $json.fromDate }}',
	toDate: '={{ $json.toDate }}',
	stationNumber: '={{ $json.stationNumber }}',
};
const nameValue = (values: Record<string, string>) =>
	Object.entries(values).map(([name, value]) => ({ name, value }));

const withExpressions = own('agencyShiftSchedules', { fields: expressions });

const untilAPageIsShort = {
	paginationMode: 'updateAParameterInEachRequest',
	parameters: {
		parameters: [{ type: 'qs', name: 'offset', value: `={{ $pageCount * ${pageSize} }}` }],
	},
	paginationCompleteWhen: 'other',
	completeExpression: `={{ $response.body.vendors.length < ${pageSize} }}`,
};

/** By kind of work and by way. */
export const nodeWays = (url: string): Record<Kind, Record<string, NodeWay>> => ({
	create: {
		[ours]: own('agencyShiftSchedules', { specifyFields: 'inputItem' }),
		[oursOnce]: own('agencyShiftSchedules', {
			specifyFields: 'inputItem',
			options: { sendOnceKey: '={{ $json.name }}', sendOnceRemember: 100_000 },
		}),
		[httpRequest]: http({
			method: 'POST',
			url: `${url}/agencyshiftschedules/shiftschedules`,
			sendBody: true,
			specifyBody: 'json',
			jsonBody: '={{ $json }}',
		}),
		[routing]: { type: 'bench.routing', parameters: {} },
		[bareLoop]: { type: 'bench.loop', parameters: {} },
	},
	expressions: {
		[ours]: withExpressions,
		[oursContinue]: { ...withExpressions, node$: { onError: 'continueRegularOutput' } },
		[httpRequest]: http({
			method: 'POST',
			url: `${url}/agencyshiftschedules/shiftschedules`,
			sendBody: true,
			bodyParameters: { parameters: nameValue(expressions) },
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
		[ours]: own('agencyVendors', { returnAll: true, options: { pageSize } }),
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
