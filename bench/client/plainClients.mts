// Clients without n8n: what the wire and the usual libraries allow.
import { createReadStream, statSync } from 'node:fs';
import { Agent, request as httpRequest } from 'node:http';

import axios from 'axios';
import FormData from 'form-data';

import { atOnce, width } from './loop.mts';
import * as names from '../names.mts';
import { rows } from './rows.mts';
import type { Client } from './task.mts';

const headers = {
	'content-type': 'application/json',
	authorization: 't',
	'ocp-apim-subscription-key': 'k',
};

const post = (url: string, agent: Agent, body: string) =>
	new Promise<void>((resolve, reject) => {
		const request = httpRequest(
			`${url}/agencyshiftschedules/shiftschedules`,
			{
				method: 'POST',
				agent,
				headers: { ...headers, 'content-length': Buffer.byteLength(body) },
			},
			(response) => {
				let text = '';
				response.on('data', (chunk) => (text += String(chunk)));
				response.on('end', () => {
					JSON.parse(text);
					resolve();
				});
			},
		);
		request.on('error', reject);
		request.end(body);
	});

/** Creates over connections that are kept. */
const keepAlive =
	(url: string): Client['ready'] =>
	async (_account, count) => {
		const bodies = rows('create', count).map((row) => JSON.stringify(row));
		return async () => {
			const agent = new Agent({ keepAlive: true, maxSockets: width });
			await atOnce(bodies, (body) => post(url, agent, body));
			agent.destroy();
			return 0;
		};
	};

/** A file as axios and form-data stream it. */
const plainUpload =
	(url: string): Client['ready'] =>
	async (_account, _count, file) =>
	async () => {
		const form = new FormData();
		form.append('file', createReadStream(file!), { knownLength: statSync(file!).size });
		await axios.post(`${url}/agencyfiles/files`, form, {
			headers: { ...headers, ...form.getHeaders(), 'content-length': form.getLengthSync() },
			maxRedirects: 0,
			maxBodyLength: Infinity,
		});
		return 0;
	};

const withoutAccount =
	(ready: (url: string) => Client['ready']) =>
	(url: string): Client => ({ ready: ready(url), signIn: async () => {} });

/** By way. */
export const plainClients: Record<string, (url: string) => Client> = {
	[names.keepAlive]: withoutAccount(keepAlive),
	[names.axiosUpload]: withoutAccount(plainUpload),
};
