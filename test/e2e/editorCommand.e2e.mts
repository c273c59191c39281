// `npm run editor` as a person uses it: started, used, stopped and started again.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';

import { FullN8n, type N8nSession } from '../../n8n-full/fullN8n.mts';
import { ensureN8nInstalled } from '../../n8n-full/install.mts';
import { keyHeader, signIn } from '../harness/client.mts';
import { exampleCredentialId, exampleNames, readExample } from '../../n8n-full/n8nWithSandbox.mts';

const script = join(import.meta.dirname, '..', '..', 'scripts', 'editor.mts');
const home = mkdtempSync(join(tmpdir(), 'agency-editor-'));
after(() => rmSync(home, { recursive: true, force: true }));

const port = 15_742;
const owner = {
	...{ email: 'owner@agency.example', password: 'Sandbox-only-1' },
	...{ firstName: 'Fire', lastName: 'Chief' },
};

/** Runs the command until the work is done. @returns what it printed */
async function whileItRuns(
	sandboxPort: number,
	work: (session: N8nSession) => Promise<void>,
	more: readonly string[] = [],
): Promise<string> {
	const flags = [...more, '--home', home, '--port', `${port}`, '--sandbox-port', `${sandboxPort}`];
	const editor = spawn(process.execPath, [script, ...flags], {
		stdio: ['ignore', 'pipe', 'inherit'],
	});
	let printed = '';
	try {
		await new Promise<void>((resolve, reject) => {
			editor.stdout.on('data', (chunk) => {
				printed += String(chunk);
				if (printed.includes('Open http')) resolve();
			});
			editor.once('exit', () => reject(new Error(printed)));
		});
		await work(await new FullN8n(await ensureN8nInstalled(), home, port).session(owner));
	} finally {
		editor.removeAllListeners('exit');
		if (editor.kill('SIGINT')) await once(editor, 'exit');
	}
	return printed;
}

const examples = exampleNames.map(readExample);
const workflowsIn = (session: N8nSession) =>
	Promise.all(examples.map(({ id }) => session.get(`/workflows/${id}`)));
const baseUrlIn = async (session: N8nSession): Promise<string> => {
	const credential = await session.get(`/credentials/${exampleCredentialId}?includeData=true`);
	return (credential as { data: { baseUrl: string } }).data.baseUrl;
};

/** The sandbox's response to a list that exists only in the dialect of the public record. */
async function statusOfUsers(sandboxPort: number): Promise<number> {
	const url = `http://127.0.0.1:${sandboxPort}`;
	const headers = {
		...{ ...keyHeader, 'Content-Type': 'application/json' },
		Authorization: await signIn(url),
	};
	return (await fetch(`${url}/agencyusers/users`, { headers })).status;
}

void test('npm run editor: has all examples, and does not touch them at the next start', async () => {
	let before: unknown[] = [];
	await whileItRuns(15_744, async (session) => {
		const [first] = (await session.get('/workflows?sortBy=updatedAt:desc')) as object[];
		assert.equal((first as { name: string }).name, 'Failed Rows Go to a Table');
		const [published] = examples.filter(({ name }) => name === 'LOSAP Points from a Sheet');
		await session.publish(published!.id);
		before = await workflowsIn(session);
		assert.equal(before.filter(Boolean).length, examples.length);
		assert.equal(await baseUrlIn(session), 'http://127.0.0.1:15744');
		assert.equal(await statusOfUsers(15_744), 404);
	});
	const work = async (session: N8nSession) => {
		assert.deepEqual(await workflowsIn(session), before);
		assert.equal(await baseUrlIn(session), 'http://127.0.0.1:15746');
		assert.equal(await statusOfUsers(15_746), 200);
	};
	const printed = await whileItRuns(15_746, work, ['--like-public']);
	assert.ok(printed.includes(`Left as they are: ${examples.length} example workflows`));
	assert.ok(printed.includes('leads to http://127.0.0.1:15746 now'));
});
