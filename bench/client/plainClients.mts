// Clients without n8n, which show what the network and common libraries allow.
import { createReadStream, statSync } from 'node:fs';
import { Agent, request as httpRequest } from 'node:http';

import axios from 'axios';
import FormData from 'form-data';

import { forEachInParallel, concurrency } from './parallel.mts';
import * as names from '../variants.mts';
import { requestBodies } from './requestBodies.mts';
import type { Client } from './measurement.mts';

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

/** Creates records over connections that are kept alive. */
const keepAlive =
	(url: string): Client['prepare'] =>
	async (_account, count) => {
		const bodies = requestBodies('create', count).map((row) => JSON.stringify(row));
		return async () => {
			const agent = new Agent({ keepAlive: true, maxSockets: concurrency });
			await forEachInParallel(bodies, (body) => post(url, agent, body));
			agent.destroy();
			return 0;
		};
	};

/** Uploads a file as a stream with axios and form-data. */
const plainUpload =
	(url: string): Client['prepare'] =>
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
	(ready: (url: string) => Client['prepare']) =>
	(url: string): Client => ({ prepare: ready(url), signIn: async () => {} });

/** The clients by variant. */
export const plainClients: Record<string, (url: string) => Client> = {
	[names.keepAlive]: withoutAccount(keepAlive),
	[names.axiosUpload]: withoutAccount(plainUpload),
};
