// Each operation as a whole node in JSON, for an assistant that writes a workflow. The parameters are the patterns that
// n8n shows with a node, each of which a test runs.
import type { DocumentedPackage } from './package.mts';

const patternIn = /<pattern title="(.+)">\nparameters: (.+)\n<\/pattern>/g;

/** The parameters of a pattern, in which expr() marks an expression. */
const parametersOf = (pattern: string): object =>
	// eslint-disable-next-line @typescript-eslint/no-implied-eval, @typescript-eslint/no-unsafe-call
	new Function('expr', `return ${pattern}`)((text: string) => `=${text}`) as object;

export const assistantNodes = ({ nodes, others }: DocumentedPackage): string =>
	[...nodes.map(({ description }) => description), ...others]
		.flatMap(({ name, builderHint }) => {
			const [{ content }] = builderHint!.extraTypeDefContent as [{ content: string }];
			return [...content.matchAll(patternIn)].map(([, title, pattern]) => {
				const node = {
					name: title,
					type: `n8n-nodes-agency-records.${name}`,
					typeVersion: 1,
					position: [0, 0],
					parameters: parametersOf(pattern!),
					credentials: { agencyRecordsApi: { id: '', name: 'Agency Records account' } },
				};
				return `**${title}:**\n\n\`\`\`json\n${JSON.stringify(node)}\n\`\`\``;
			});
		})
		.join('\n\n');
