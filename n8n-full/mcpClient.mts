// A client of n8n's own MCP server, as an AI assistant is one. The server needs no license.
import type { N8nSession } from './fullN8n.mts';

/** Calls one of the server's tools. @returns its structured output */
export type CallTool = (name: string, args: object) => Promise<unknown>;

interface RpcResponse {
	error?: { message: string };
	result: { structuredContent?: unknown; content?: Array<{ text: string }> };
}

/** Turns the server on, and signs in to it. */
export async function connectToMcp(session: N8nSession): Promise<CallTool> {
	await session.send('PATCH', '/mcp/settings', {
		mcpAccessEnabled: true,
		autoExposeNewWorkflows: true,
	});
	const { apiKey } = (await session.post('/mcp/api-key/rotate', {})) as { apiKey: string };
	let id = 0;
	return async (name, args) => {
		const response = await fetch(`${session.n8n.url}/mcp-server/http`, {
			method: 'POST',
			headers: {
				authorization: `Bearer ${apiKey}`,
				'content-type': 'application/json',
				accept: 'application/json, text/event-stream',
				connection: 'close',
			},
			body: JSON.stringify({
				jsonrpc: '2.0',
				id: ++id,
				method: 'tools/call',
				params: { name, arguments: args },
			}),
		});
		// The response is an event stream with one event.
		const text = await response.text();
		const { error, result } = JSON.parse(/^data:(.+)$/m.exec(text)?.[1] ?? text) as RpcResponse;
		if (error) throw new Error(`${name}: ${error.message}`);
		if (!result.structuredContent) throw new Error(`${name}: ${result.content?.[0]?.text}`);
		return result.structuredContent;
	};
}
