// A full n8n with its own user folder, in which this package's tarball is installed as a community package.
import { execFile } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { ProcessGroup } from './processGroup.mts';
import { waitUntilDefined } from './waitUntilDefined.mts';

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
		'instance-ai,agents,chat-hub,mcp-registry,insights,quick-connect,external-secrets,source-control,sso-oidc,sso-saml,ldap,log-streaming,otel,breaking-changes,workflow-builder,instance-version-history',
};

/** The environment without settings of the surrounding npm and n8n, which must not reach the n8n started here. */
const inherited = Object.fromEntries(
	Object.entries(process.env).filter(([name]) => !/^(n8n_|npm_config_|.*_proxy$)/i.test(name)),
);

export interface N8nOwner {
	email: string;
	firstName: string;
	lastName: string;
	password: string;
}

/** @throws Error with everything the program printed, if it fails */
const run = promisify(execFile);

const npm = (args: string[], cwd: string) =>
	run('npm', args, { cwd, shell: process.platform === 'win32' });

/**
 * Packs this package as `npm publish` would.
 * @returns the path of the tarball
 */
export async function packPackage(folder: string): Promise<string> {
	mkdirSync(folder, { recursive: true });
	const { stdout } = await npm(['pack', '--json', '--pack-destination', folder], packageFolder);
	const [{ filename }] = JSON.parse(stdout.slice(stdout.indexOf('['))) as [{ filename: string }];
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
		return (await run(node, [executable, ...args], { cwd, env, maxBuffer: 1e9 })).stdout;
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

	private async responses(path: string): Promise<boolean> {
		return await fetch(`${this.url}${path}`).then(
			({ ok }) => ok,
			() => false,
		);
	}

	/**
	 * Starts the server and waits until its API responds; n8n 1.85 reports that it is ready before that.
	 * @returns a function that stops the server and waits for it to exit
	 */
	async start(onOutput?: (text: string) => void): Promise<ProcessGroup['stop']> {
		const server = await this.launch(['start'], onOutput);
		await waitUntilDefined(
			async () => (await this.responses('/rest/settings')) || undefined,
			'n8n',
		);
		return (signal) => server.stop(signal);
	}

	/**
	 * Starts a process that keeps running, such as a worker of n8n's queue mode, and waits until it is ready.
	 * @param onOutput called with the process's output
	 * @throws Error if the process does not start
	 */
	async launch(
		command: readonly string[],
		onOutput?: (text: string) => void,
	): Promise<ProcessGroup> {
		const { node, executable, folder: cwd, env } = this;
		const n8n = new ProcessGroup(node, [executable, ...command], { cwd, env }, onOutput);
		return await n8n.ready(() => this.responses('/healthz/readiness'));
	}

	/** Signs in to n8n's own API as the editor does. The first time, this creates the owner. */
	async session(owner: N8nOwner): Promise<N8nSession> {
		const body = { ...owner, emailOrLdapLoginId: owner.email };
		const first = await send('POST', `${this.url}/rest/owner/setup`, owner);
		const response = first.ok ? first : await send('POST', `${this.url}/rest/login`, body);
		if (!response.ok) throw new Error(`n8n refused the sign-in: ${await response.text()}`);
		const cookie = response.headers.getSetCookie().map((line) => line.split(';')[0]!);
		return new N8nSession(this, cookie.join('; '));
	}
}

/** n8n closes idle connections, perhaps just as a busy test reuses one. */
const connection = 'close';

const send = (method: string, url: string, body: object, headers: Record<string, string> = {}) =>
	fetch(url, {
		method,
		headers: { connection, 'content-type': 'application/json', ...headers },
		body: JSON.stringify(body),
	});

/** Whether an execution of this status has ended, or waits for a person. */
export const hasEnded = (status: string): boolean => !['new', 'running'].includes(status);

/** A signed-in session with the API that n8n's editor uses. */
export class N8nSession {
	readonly n8n: FullN8n;
	private readonly cookie: string;

	constructor(n8n: FullN8n, cookie: string) {
		this.n8n = n8n;
		this.cookie = cookie;
	}

	/** Sends GET to a path below /rest. @returns the response's `data` */
	async get(path: string): Promise<unknown> {
		const { url } = this.n8n;
		const response = await fetch(`${url}/rest${path}`, {
			headers: { connection, cookie: this.cookie },
		});
		return ((await response.json()) as { data: unknown }).data;
	}

	/** Sends a body to a path below /rest. @returns the response's `data` */
	async send(method: 'PATCH' | 'POST', path: string, body: object): Promise<unknown> {
		const { url } = this.n8n;
		const response = await send(method, `${url}/rest${path}`, body, { cookie: this.cookie });
		return ((await response.json()) as { data: unknown }).data;
	}

	/** Sends POST to a path below /rest. @returns the response's `data` */
	post(path: string, body: object): Promise<unknown> {
		return this.send('POST', path, body);
	}

	/** Publishes a workflow, and waits until its triggers are active. */
	async publish(workflowId: string): Promise<void> {
		const { versionId } = (await this.get(`/workflows/${workflowId}`)) as { versionId: string };
		await this.post(`/workflows/${workflowId}/activate`, { versionId });
		await waitUntilDefined(async () => {
			const now = await this.get(`/workflows/${workflowId}/publication-status`);
			return (now as { status: string }).status === 'published' || undefined;
		}, `workflow ${workflowId} to be published`);
	}

	/**
	 * Starts the part of a workflow that follows one of its triggers, as the button on the canvas does.
	 * @returns the ID of the execution
	 */
	async start(workflowId: string, trigger: string): Promise<string> {
		const started = await this.post(`/workflows/${workflowId}/run`, {
			// n8n 1.x runs what it is sent.
			workflowData: await this.get(`/workflows/${workflowId}`),
			triggerToStartFrom: { name: trigger },
		});
		return (started as { executionId: string }).executionId;
	}

	/** Retries an execution with the workflow as it is saved now, and waits until the new one has ended. */
	async retry(executionId: string): Promise<{ id: string }> {
		const retried = await this.post(`/executions/${executionId}/retry`, { loadWorkflow: true });
		return retried as { id: string };
	}

	/**
	 * Waits until an execution has ended.
	 * @returns its final status, such as `success`; `waiting` when it waits for a person
	 */
	endOf(executionId: string): Promise<string> {
		return waitUntilDefined(async () => {
			const { status } = (await this.get(`/executions/${executionId}`)) as { status: string };
			return hasEnded(status) ? status : undefined;
		}, `execution ${executionId} to end`);
	}
}
