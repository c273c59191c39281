// Real proxies as Debian packages them, on loopback, each with a folder of its own and short time-outs.
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { ProcessGroup } from '../../n8n-full/processGroup.mts';

/** Debian keeps servers in folders that are not on every user's PATH. */
const environment = { ...process.env, PATH: `${process.env.PATH}:/usr/sbin:/sbin` };
const run = promisify(execFile);

/** A running proxy, or what starts one needs to know of it. */
interface Instance {
	folder: string;
	port: number;
	/** Of the service behind the proxy, on 127.0.0.1. */
	service: number;
}

interface Kind {
	/** A file in this folder; each %name% in it is filled in. */
	template: string;
	command: (file: string, instance: Instance) => string[];
	/** Takes the service out of use, or back, in the way its administrators do. */
	setMaintenance: (isOn: boolean, instance: Instance) => Promise<void>;
}

/** The configuration asks whether this file is there: a usual way with nginx and Apache. */
async function maintenanceFile(isOn: boolean, { folder }: Instance): Promise<void> {
	const file = join(folder, 'maintenance');
	if (isOn) writeFileSync(file, '');
	else rmSync(file, { force: true });
}

const kinds = {
	nginx: {
		template: 'nginx.conf',
		command: (file, { folder }) => ['nginx', '-c', file, '-e', join(folder, 'error.log')],
		setMaintenance: maintenanceFile,
	},
	HAProxy: {
		template: 'haproxy.cfg',
		command: (file) => ['haproxy', '-db', '-f', file],
		async setMaintenance(isOn, { folder }) {
			const socket = connect(join(folder, 'admin.sock'));
			socket.end(`set server service/one state ${isOn ? 'maint' : 'ready'}\n`).resume();
			await once(socket, 'close');
		},
	},
	Varnish: {
		template: 'varnish.vcl',
		command: (file, { folder, port }) => [
			...['varnishd', '-F', '-a', `127.0.0.1:${port}`, '-f', file, '-n', folder],
			...['-s', 'malloc,16m', '-p', 'first_byte_timeout=1', '-p', 'connect_timeout=1'],
		],
		async setMaintenance(isOn, { folder }) {
			const health = isOn ? 'sick' : 'auto';
			const command = ['-n', folder, 'backend.set_health', 'boot.service', health];
			await run('varnishadm', command, { env: environment });
		},
	},
	Apache: {
		template: 'apache.conf',
		command: (file) => ['apache2', '-f', file, '-D', 'FOREGROUND'],
		setMaintenance: maintenanceFile,
	},
} satisfies Record<string, Kind>;

export type ProxyName = keyof typeof kinds;
export const proxyNames = Object.keys(kinds) as ProxyName[];

export interface Proxy {
	url: string;
	setMaintenance: (isOn: boolean) => Promise<void>;
	stop: () => Promise<void>;
}

/** @returns a port on 127.0.0.1 on which nothing listens */
export async function freePort(): Promise<number> {
	const server = createServer().listen(0, '127.0.0.1');
	await once(server, 'listening');
	const { port } = server.address() as AddressInfo;
	server.close();
	await once(server, 'close');
	return port;
}

/**
 * Starts a proxy, and waits until it answers.
 * @param service the port of the service behind it, on 127.0.0.1
 * @param settings lines for the places in its template; the others stay empty
 * @throws Error that says why it did not start
 */
export async function startProxy(
	name: ProxyName,
	service: number,
	settings: Record<string, string> = {},
): Promise<Proxy> {
	const kind: Kind = kinds[name];
	const folder = mkdtempSync(join(tmpdir(), 'agency-proxy-'));
	// Some run their workers as another user, who must be able to enter the folder.
	chmodSync(folder, 0o755);
	writeFileSync(join(folder, 'sorry.html'), '<!DOCTYPE html><title>Sorry</title>Back soon');
	const instance = { folder, port: await freePort(), service };
	const values: Record<string, string | number> = { ...settings, ...instance };
	const file = join(folder, kind.template);
	const template = readFileSync(join(import.meta.dirname, kind.template), 'utf8');
	const filled = (text: string): string =>
		text.replace(/%([a-z]+)%/g, (_, place: string) => filled(String(values[place] ?? '')));
	writeFileSync(file, filled(template));
	const [program, ...args] = kind.command(file, instance);
	const url = `http://127.0.0.1:${instance.port}`;
	const processGroup = new ProcessGroup(program!, args, { env: environment, cwd: folder });
	const isAnswering = () =>
		fetch(url).then(
			() => true,
			() => false,
		);
	await processGroup.ready(isAnswering);
	return {
		url,
		setMaintenance: (isOn) => kind.setMaintenance(isOn, instance),
		async stop() {
			await processGroup.stop();
			rmSync(folder, { recursive: true, force: true });
		},
	};
}
