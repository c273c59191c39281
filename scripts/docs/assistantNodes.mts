// Each operation as a whole node in JSON, for an assistant that writes a workflow. The parameters are the patterns that
// n8n shows of a node, each of which a test runs.
import type * as Hints from '../../nodes/builderHints.ts';
import type * as Requests from '../../nodes/AgencyRecordsRequest/requests.ts';
import { built, type DocumentedPackage } from './package.mts';

const { patternOf } = built('nodes/builderHints.js') as typeof Hints;
const { requests } = built('nodes/AgencyRecordsRequest/requests.js') as typeof Requests;

/** Makes parameters of a pattern, in which expr() marks an expression. */
const parametersOf = (pattern: string): unknown =>
	// eslint-disable-next-line @typescript-eslint/no-implied-eval, @typescript-eslint/no-unsafe-call
	new Function('expr', `return ${pattern}`)((text: string) => `=${text}`);

export function assistantNodes({ nodes }: DocumentedPackage): string {
	const ofAreas = nodes.flatMap(({ type, operations }) =>
		operations.map(({ resource, operation }) => ({ type, resource: resource.name, operation })),
	);
	const ofRequests = requests.resources.flatMap(({ name, operations }) =>
		operations.map((operation) => ({
			type: ofAreas[0]!.type.replace(/\.\w+$/, '.agencyRecordsRequest'),
			resource: name,
			operation,
		})),
	);
	return [...ofAreas, ...ofRequests]
		.map(({ type, resource, operation }) => {
			const node = {
				name: operation.action,
				type,
				typeVersion: 1,
				position: [0, 0],
				parameters: parametersOf(patternOf(resource, operation)),
				credentials: { agencyRecordsApi: { id: '', name: 'Agency Records account' } },
			};
			return `**${operation.action}:**\n\n\`\`\`json\n${JSON.stringify(node)}\n\`\`\``;
		})
		.join('\n\n');
}
