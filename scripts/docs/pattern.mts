// Reads a pattern of a node's builder hint, which is JavaScript.
import type { INodeParameters } from 'n8n-workflow';

/** The node's parameters. n8n's builder defines expr(), which marks an expression. */
export const parametersOf = (pattern: string): INodeParameters =>
	// eslint-disable-next-line @typescript-eslint/no-implied-eval, @typescript-eslint/no-unsafe-call
	new Function('expr', `return ${pattern}`)((text: string) => `=${text}`) as INodeParameters;
