// The compared variants that are n8n nodes, each with its parameters.
import type { INode, INodeParameters } from 'n8n-workflow';

import { bareLoop, httpRequest, ours, oursContinue, oursOnce, routing } from '../variants.mts';
import { httpRequestType, httpRequestVersion } from './httpRequestNode.mts';
import type { Workload } from './measurement.mts';

export interface NodeVariant {
	type: string;
	parameters: INodeParameters;
	nodeSettings?: Partial<INode>;
}

/** Of a list, for every variant; ours has it from the credential. */
export const pageSize = 1000;

const own = (name: string, parameters: INodeParameters): NodeVariant => ({
	type: `n8n-nodes-agency-records.${name}`,
	parameters,
});

const http = (parameters: INodeParameters): NodeVariant => ({
	type: httpRequestType,
	parameters: {
		authentication: 'predefinedCredentialType',
		nodeCredentialType: 'agencyRecordsApi',
		...parameters,
	},
	nodeSettings: { typeVersion: httpRequestVersion },
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

/** The node variants by workload and by variant. */
export const nodeVariants = (url: string): Record<Workload, Record<string, NodeVariant>> => ({
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
		[oursContinue]: { ...withExpressions, nodeSettings: { onError: 'continueRegularOutput' } },
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
