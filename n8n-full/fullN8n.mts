// A full n8n with a user folder of its own, in which this package's tarball is installed as a community package.
import { spawn, type ChildProcess } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import { ProcessGroup } from './processGroup.mts';

const packageFolder = join(import.meta.dirname, '..');

/** No connections outside loopback, no banners, and a fixed encryption key. */
const localSettings: Record<string, string> = {
	...Object.fromEntries(
		[
			'N8N_DIAGNOSTICS_ENABLED',
			'N8N_VERSION_NOTIFICATIONS_ENABLED',
			'N8N_VERSION_NOTIFICATIONS_WHATS_NEW_ENABLED',
			'N8N_TEMPLATES_ENABLED',
			'N8N_PERSONALIZATION_ENABLED',
			'N8N_HIRING_BANNER_ENABLED',
			'N8N_DYNAMIC_BANNERS_ENABLED',
			'N8N_VERIFIED_PACKAGES_ENABLED',
			'N8N_LICENSE_AUTO_RENEW_ENABLED',
			'N8N_AI_ENABLED',
			'N8N_SECURE_COOKIE',
			'N8N_PYTHON_ENABLED',
		].map((name) => [name, 'false']),
	),
	N8N_HIDE_USAGE_PAGE: 'true',
	N8N_UNVERIFIED_PACKAGES_ENABLED: 'true',
	N8N_LISTEN_ADDRESS: '127.0.0.1',
	N8N_HOST: '127.0.0.1',
	N8N_ENCRYPTION_KEY: 'agency-records-on-this-machine-only',
	N8N_LOG_LEVEL: 'warn',
	N8N_DISABLED_MODULES:
		'instance-ai,agents,chat-hub,mcp,mcp-registry,insights,quick-connect,external-secrets,source-control,sso-oidc,sso-saml,ldap,log-streaming,otel,breaking-changes,workflow-builder,instance-version-history',
};

/** The environment, without settings of the surrounding npm and n8n: they must not reach the n8n started here. */
const inherited = Object.fromEntries(
	Object.entries(process.env).filter(([name]) => !/^(n8n_|npm_config_|.*_proxy$)/i.test(name)),
);

export interface N8nOwner {
	email: string;
	firstName: string;
	lastName: string;
	password: string;
}

function outputOfProcess(child: ChildProcess, name: string): Promise<string> {
	let output = '';
	child.stdout?.on('data', (chunk) => (output += String(chunk)));
	child.stderr?.on('data', (chunk) => (output += String(chunk)));
	return new Promise((resolve, reject) => {
		child.on('error', reject);
		child.on('exit', (code) =>
			code === 0 ? resolve(output) : reject(new Error(`${name} ended with ${code}:\n${output}`)),
		);
	});
}

const npm = (args: string[], cwd: string) =>
	outputOfProcess(
		spawn('npm', args, { cwd, shell: process.platform === 'win32' }),
		`npm ${args[0]}`,
	);

/**
 * Packs this package as `npm publish` would.
 * @returns the path of the tarball
 */
export async function packPackage(folder: string): Promise<string> {
	mkdirSync(folder, { recursive: true });
	const output = await npm(['pack', '--json', '--pack-destination', folder], packageFolder);
	const [{ filename }] = JSON.parse(output.slice(output.indexOf('['))) as [{ filename: string }];
	return join(folder, filename);
}

export class FullN8n {
	readonly url: string;
	private readonly executable: string;
	private readonly node: string;
	private readonly folder: string;
	private readonly env: NodeJS.ProcessEnv;

	/**
	 * @param executable the path of n8n's executable, from ensureN8nInstalled()
	 * @param folder n8n's user folder, which may be new
	 * @param port the port on 127.0.0.1; the next one is used by n8n's task runners
	 * @param env more environment variables; undefined removes one
	 * @param node the path of the Node.js that runs n8n
	 */
	constructor(
		executable: string,
		folder: string,
		port: number,
		env: Record<string, string | undefined> = {},
		node = process.execPath,
	) {
		this.executable = executable;
		this.node = node;
		this.folder = folder;
		this.url = `http://127.0.0.1:${port}`;
		this.env = {
			...inherited,
			...localSettings,
			...env,
			N8N_USER_FOLDER: folder,
			N8N_PORT: String(port),
			N8N_RUNNERS_BROKER_PORT: String(port + 1),
		};
		mkdirSync(join(folder, '.n8n', 'nodes'), { recursive: true });
	}

	/** Installs a community package as n8n's own server does. */
	async install(tarball: string): Promise<void> {
		const nodes = join(this.folder, '.n8n', 'nodes');
		writeFileSync(
			join(nodes, 'package.json'),
			JSON.stringify({ name: 'installed-nodes', private: true, dependencies: {} }),
		);
		const flags = ['--ignore-scripts', '--legacy-peer-deps', '--no-audit', '--no-fund'];
		await npm(['install', ...flags, tarball], nodes);
	}

	/** Runs one of n8n's commands. @returns what it printed */
	async command(...args: string[]): Promise<string> {
		const { node, executable, folder: cwd, env } = this;
		const child = spawn(node, [executable, ...args], {
			cwd,
			env,
			stdio: ['ignore', 'pipe', 'pipe'],
		});
		return await outputOfProcess(child, `n8n ${args.join(' ')}`);
	}

	/** Reads the data of an execution, which n8n saves with the library flatted. */
	readonly parse = (text: string): unknown => {
		const { parse } = createRequire(this.executable)('flatted') as typeof JSON;
		return parse(text);
	};

	/** Imports credentials or workflows with n8n's own command. */
	async import(what: 'credentials' | 'workflow', entries: object[]): Promise<void> {
		const file = join(this.folder, `${what}.json`);
		writeFileSync(file, JSON.stringify(entries), { mode: 0o600 });
		await this.command(`import:${what}`, `--input=${file}`);
	}

	private async answers(path: string): Promise<boolean> {
		return await fetch(`${this.url}${path}`).then(
			({ ok }) => ok,
			() => false,
		);
	}

	/**
	 * Starts the server and waits until its interface answers; n8n 1.85 says that it is ready before that.
	 * @returns a function that stops the server and waits until it has ended
	 */
	async start(onOutput?: (text: string) => void): Promise<() => Promise<void>> {
		const server = await this.launch(['start'], onOutput);
		while (!(await this.answers('/rest/settings'))) await delay(250);
		return () => server.stop();
	}

	/**
	 * Starts a process that keeps running, such as a worker of n8n's queue mode, and waits until it is ready.
	 * @param onOutput called with what the process prints
	 * @throws Error when the process does not start
	 */
	async launch(
		command: readonly string[],
		onOutput?: (text: string) => void,
	): Promise<ProcessGroup> {
		const { node, executable, folder: cwd, env } = this;
		const n8n = new ProcessGroup(node, [executable, ...command], { cwd, env }, onOutput);
		return await n8n.ready(() => this.answers('/healthz/readiness'));
	}

	/** Signs in to n8n's own interface as the editor does. The first time this creates the owner. */
	async session(owner: N8nOwner): Promise<N8nSession> {
		const body = { ...owner, emailOrLdapLoginId: owner.email };
		const first = await send('POST', `${this.url}/rest/owner/setup`, owner);
		const answer = first.ok ? first : await send('POST', `${this.url}/rest/login`, body);
		if (!answer.ok) throw new Error(`n8n refused the sign-in: ${await answer.text()}`);
		const cookie = answer.headers.getSetCookie().map((line) => line.split(';')[0]!);
		return new N8nSession(this.url, cookie.join('; '));
	}
}

const send = (method: string, url: string, body: object, headers: Record<string, string> = {}) =>
	fetch(url, {
		method,
		headers: { 'content-type': 'application/json', ...headers },
		body: JSON.stringify(body),
	});

/** A session at the interface that n8n's editor uses, signed in. */
export class N8nSession {
	/** The address of n8n. */
	readonly url: string;
	readonly cookie: string;

	constructor(url: string, cookie: string) {
		this.url = url;
		this.cookie = cookie;
	}

	/** Sends GET to a path below /rest. @returns the answer's `data` */
	async get(path: string): Promise<unknown> {
		const answer = await fetch(`${this.url}/rest${path}`, { headers: { cookie: this.cookie } });
		return ((await answer.json()) as { data: unknown }).data;
	}

	/** Sends POST to a path below /rest. @returns the answer's `data` */
	async post(path: string, body: object): Promise<unknown> {
		const answer = await send('POST', `${this.url}/rest${path}`, body, { cookie: this.cookie });
		return ((await answer.json()) as { data: unknown }).data;
	}

	/**
	 * Publishes a workflow, and waits until its triggers are active.
	 * @throws Error when that takes more than half a minute
	 */
	async publish(workflowId: string): Promise<void> {
		const { versionId } = (await this.get(`/workflows/${workflowId}`)) as { versionId: string };
		await this.post(`/workflows/${workflowId}/activate`, { versionId });
		const deadline = Date.now() + 30_000;
		for (;;) {
			const now = (await this.get(`/workflows/${workflowId}/publication-status`)) as {
				status: string;
			};
			if (now.status === 'published') return;
			if (Date.now() > deadline) throw new Error(`Workflow ${workflowId} is ${now.status}`);
			await delay(50);
		}
	}

	/**
	 * Runs the part of a workflow that follows one of its triggers, as the editor does.
	 * @returns the execution's final status and its ID
	 */
	async run(workflowId: string, trigger: string): Promise<{ status: string; id: string }> {
		const { executionId } = (await this.post(`/workflows/${workflowId}/run`, {
			triggerToStartFrom: { name: trigger },
		})) as { executionId: string };
		return { status: await this.endOf(executionId), id: executionId };
	}

	/**
	 * Waits until an execution has ended.
	 * @returns its final status, such as `success`; `waiting` when it waits for a person
	 * @throws Error when it takes longer than a run that waits for the lock of a process that was killed
	 */
	async endOf(executionId: string): Promise<string> {
		const deadline = Date.now() + 180_000;
		for (;;) {
			const { status } = (await this.get(`/executions/${executionId}`)) as { status: string };
			if (!['new', 'running'].includes(status)) return status;
			if (Date.now() > deadline) throw new Error(`Execution ${executionId} did not end in time`);
			await delay(100);
		}
	}
}
