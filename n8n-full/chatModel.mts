// A chat model with scripted answers, which speaks OpenAI's chat completions API on loopback.
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

/** An answer of the model: text, or a tool call with its values. */
export type ChatTurn = string | { tool: string; values: object };

export interface ChatRequest {
	messages: Array<{ role: string; content: unknown }>;
}

export interface ChatModel {
	/** The value for the credential's Base URL. */
	url: string;
	/** The answers it has yet to give. */
	turns: ChatTurn[];
	/** The requests it has received. */
	requests: ChatRequest[];
	close: () => Promise<void>;
}

const messageOf = (turn: ChatTurn, id: string) =>
	typeof turn === 'string'
		? { role: 'assistant', content: turn }
		: {
				role: 'assistant',
				content: null,
				tool_calls: [
					{
						id,
						type: 'function',
						function: { name: turn.tool, arguments: JSON.stringify(turn.values) },
					},
				],
			};

/** Starts the chat model on a free port. */
export async function startChatModel(): Promise<ChatModel> {
	const turns: ChatTurn[] = [];
	const requests: ChatRequest[] = [];
	const server = createServer((request, response) => {
		void (async () => {
			requests.push((await json(request)) as ChatRequest);
			const turn = turns.shift() ?? 'There is nothing left to say.';
			const message = messageOf(turn, `call-${requests.length}`);
			response.setHeader('content-type', 'application/json');
			response.end(
				JSON.stringify({
					id: `chat-${requests.length}`,
					object: 'chat.completion',
					created: 0,
					model: 'scripted',
					choices: [
						{
							index: 0,
							message,
							finish_reason: typeof turn === 'string' ? 'stop' : 'tool_calls',
						},
					],
					usage: { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 },
				}),
			);
		})();
	});
	await once(server.listen(0, '127.0.0.1'), 'listening');
	return {
		url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
		turns,
		requests,
		async close() {
			server.closeAllConnections();
			await new Promise((resolve) => server.close(resolve));
		},
	};
}
