// `npm run editor`: the full n8n with this package installed, the sandbox, a credential and the examples.
import { appendFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';

import { sandboxCredential } from '../n8n-in-process/sandboxCredential.mts';
import { cacheFolder, ensureN8nInstalled, isN8nInstalled } from '../n8n-full/install.mts';
import { FullN8n, packPackage, type N8nSession } from '../n8n-full/fullN8n.mts';
import { credentialLines } from '../sandbox/credentialValues.mts';
import { publicDialects } from '../sandbox/dialects.mts';
import { startSandbox } from '../sandbox/server.mts';

const usage = `Usage: npm run editor -- [options]

  --port <number>          port of n8n on 127.0.0.1 (default 5678; the next port is used too)
  --sandbox-port <number>  port of the sandbox (default 8950)
  --like-public            the sandbox speaks as the public record shows a service with this interface
  --home <folder>          n8n's home folder (default: in your cache folder). What is in it stays as it
                           is: only example workflows that are missing are imported`;

const { values } = parseArgs({
	options: {
		port: { type: 'string', default: '5678' },
		'sandbox-port': { type: 'string', default: '8950' },
		home: { type: 'string', default: join(cacheFolder(), 'editor') },
		'like-public': { type: 'boolean' },
		help: { type: 'boolean', short: 'h' },
	},
});

const owner = {
	email: 'owner@agency.example',
	firstName: 'Fire',
	lastName: 'Chief',
	password: 'Sandbox-only-1',
};

/** The only folder on this machine in which n8n's nodes may read and write files. */
const filesFolder = resolve(values.home, 'files');

/** The folder for such files in n8n's container image, which the examples use, too. */
const filesInExamples = '/home/node/.n8n-files';

/** The example to start with. n8n lists the last imported workflow first. */
const firstExample = 'Failed Rows Go to a Table';

const examplesFolder = join(import.meta.dirname, '..', 'examples');
const examples = readdirSync(examplesFolder)
	.filter((name) => name.endsWith('.json'))
	.map((name) => readFileSync(join(examplesFolder, name), 'utf8'))
	.map((text) => text.replaceAll(filesInExamples, filesFolder.replaceAll('\\', '/')))
	.map((text) => JSON.parse(text) as { id: string; name: string })
	.sort((one, other) => Number(one.name === firstExample) - Number(other.name === firstExample));

const credentialId = 'agencyRecordsSandbox';

/**
 * Imports only what n8n does not have yet, so that people's changes and published workflows stay. The credential is
 * imported again if it has another address than the sandbox, whose port may have changed.
 */
async function importMissing(session: N8nSession, sandboxUrl: string): Promise<void> {
	const known = (await session.get(`/credentials/${credentialId}?includeData=true`)) as
		| { data: { baseUrl: string } }
		| undefined;
	if (known?.data.baseUrl !== sandboxUrl) {
		const data = sandboxCredential(sandboxUrl);
		const name = 'Agency Records (sandbox)';
		const credential = { id: credentialId, name, type: 'agencyRecordsApi', data };
		await session.n8n.import('credentials', [credential]);
		if (known) console.log(`The credential "${name}" leads to ${sandboxUrl} now.`);
	}
	const missing: object[] = [];
	for (const example of examples) {
		if (!(await session.get(`/workflows/${example.id}`))) missing.push(example);
	}
	if (missing.length > 0) await session.n8n.import('workflow', missing);
	const kept = examples.length - missing.length;
	if (kept > 0)
		console.log(
			`Left as they are: ${kept} example workflows. For an example as it is now, archive and delete yours, and start again.`,
		);
}

const isFree = (port: number) =>
	new Promise<boolean>((resolve) => {
		const server = createServer().once('error', () => resolve(false));
		server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
	});

/**
 * A program that already uses a port, such as the user's own n8n, would respond instead of the n8n started here.
 * @returns what to do; undefined if all ports are free
 */
async function portProblem(): Promise<string | undefined> {
	const ofN8n = Number(values.port);
	for (const [port, flag] of [
		[ofN8n, '--port'],
		[ofN8n + 1, '--port'],
		[Number(values['sandbox-port']), '--sandbox-port'],
	] as const) {
		if (!(await isFree(port))) return `Port ${port} is in use: choose another with ${flag}.`;
	}
	return undefined;
}

async function main() {
	const problem = await portProblem();
	if (problem !== undefined) {
		console.error(problem);
		process.exitCode = 1;
		return;
	}
	console.log(
		isN8nInstalled()
			? 'This takes about a minute, in 4 steps.'
			: `This takes about 10 minutes the first time and a minute after that, in 4 steps. n8n itself goes into ${cacheFolder()} and takes 2.7 GB.`,
	);
	console.log('1 of 4: Looking for n8n …');
	const executable = await ensureN8nInstalled();
	mkdirSync(filesFolder, { recursive: true });
	const sandbox = await startSandbox({
		port: Number(values['sandbox-port']),
		data: join(values.home, 'sandbox.sqlite'),
		dialects: values['like-public'] ? publicDialects : undefined,
	});
	const n8n = new FullN8n(executable, values.home, Number(values.port), {
		N8N_RESTRICT_FILE_ACCESS_TO: filesFolder,
	});
	console.log('2 of 4: Installing this package into n8n, as a user would …');
	await n8n.install(await packPackage(join(values.home, 'packed')));
	console.log('3 of 4: Starting n8n …');
	const log = join(values.home, 'n8n.log');
	writeFileSync(log, '');
	const stop = await n8n.start((text) => appendFileSync(log, text));
	const session = await n8n.session(owner);
	console.log('4 of 4: Importing the credential and the example workflows …');
	await importMissing(session, sandbox.url);
	console.log(`
The sandbox:         ${sandbox.url}
Data of both:        ${values.home}
n8n's log:           ${log}
Files for workflows: ${filesFolder} (n8n may read and write files only there)

n8n has the credential "Agency Records (sandbox)". Values for another of the type "Agency Records API":

${credentialLines(sandbox.url)}

Ctrl-C stops both.

Open ${n8n.url}, sign in as ${owner.email} with the password ${owner.password}, and start with "${firstExample}".`);

	// Not with once(): npm forwards the Ctrl-C that also reaches this process.
	await new Promise<void>((resolve) => {
		for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => resolve());
	});
	console.log('Stopping …');
	await stop();
	await sandbox.close();
}

if (values.help) console.log(usage);
else await main();
