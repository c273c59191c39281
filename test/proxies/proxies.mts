// Real proxies as Debian packages them, on loopback, each with a folder of its own and short time-outs.
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';

import { ProcessGroup } from '../../n8n-full/processGroup.mts';

/** Debian installs servers in a folder that is not on every user's PATH. */
const environment = { ...process.env, PATH: [process.env.PATH, '/usr/sbin'].join(delimiter) };
const run = promisify(execFile);

/** The folder and ports of a running proxy. */
interface Instance {
	folder: string;
	/** On 127.0.0.1. */
	port: number;
}

interface Kind {
	/** A file in this folder; each %name% in it is filled in. */
	template: string;
	/** Other such files. */
	others?: readonly string[];
	/** The default values of its placeholders. */
	settings?: Record<string, string>;
	/** @param file the template, filled in */
	command: (file: string, instance: Instance) => string[];
	/** Starts or ends the service's maintenance, as administrators do. */
	setMaintenance?: (isOn: boolean, instance: Instance) => Promise<void>;
}

/** The configuration checks whether this file exists, as is usual with nginx and Apache. */
async function maintenanceFile(isOn: boolean, { folder }: Instance): Promise<void> {
	const file = join(folder, 'maintenance');
	if (isOn) writeFileSync(file, '');
	else rmSync(file, { force: true });
}

/** FPM has its own process group, so that it does not exit with nginx. */
const bothUntilStopped = `php-fpm8.2 --allow-to-run-as-root -y "$1" & fpm=$!
nginx -c "$2" -e "$3" & nginx=$!
trap 'kill $fpm $nginx' TERM; wait`;

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
			...['-s', 'malloc,16m', '-p', 'first_byte_timeout=2', '-p', 'connect_timeout=1'],
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
	Squid: { template: 'squid.conf', command: (file) => ['squid', '-N', '-f', file] },
	lighttpd: { template: 'lighttpd.conf', command: (file) => ['lighttpd', '-D', '-f', file] },
	tinyproxy: { template: 'tinyproxy.conf', command: (file) => ['tinyproxy', '-d', '-c', file] },
	// PHP runs the service's program, with its process manager.
	mod_php: {
		template: 'mod_php.conf',
		others: ['index.php'],
		command: (file) => ['apache2', '-f', file, '-D', 'FOREGROUND'],
		setMaintenance: maintenanceFile,
	},
	'PHP-FPM': {
		template: 'nginx.conf',
		others: ['index.php', 'fpm.conf'],
		settings: {
			pages: `location /agency {
				include /etc/nginx/fastcgi_params;
				fastcgi_param SCRIPT_FILENAME %folder%/index.php;
				fastcgi_pass unix:%folder%/fpm.sock;
			}`,
		},
		command: (file, { folder }) => [
			...['sh', '-c', bothUntilStopped, 'sh'],
			...[join(folder, 'fpm.conf'), file, join(folder, 'error.log')],
		],
		setMaintenance: maintenanceFile,
	},
} satisfies Record<string, Kind>;

export type ProxyName = keyof typeof kinds;

/** The proxies in front of a service. */
export const reverseProxies = ['nginx', 'HAProxy', 'Varnish', 'Apache'] as const;

/** Other parts of a service, with behaviour of their own. */
export const otherParts = ['lighttpd', 'tinyproxy', 'mod_php', 'PHP-FPM'] as const;

export interface Proxy {
	url: string;
	setMaintenance: (isOn: boolean) => Promise<void>;
	/** @param signal SIGKILL leaves a proxy no time to end its connections */
	stop: (signal?: NodeJS.Signals) => Promise<void>;
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

/** HAProxy's own error response, as is. */
const sorryWith200 = [
	...['HTTP/1.1 200 OK', 'Content-Type: application/json', 'Content-Length: 23'],
	...['', '{"message":"Back soon"}'],
].join('\r\n');

/**
 * Starts a proxy and waits until it responds. @param settings values for its template's placeholders, such as the
 * service's port; the others stay empty
 * @throws Error that says why it did not start
 */
export async function startProxy(
	name: ProxyName,
	settings: Record<string, string | number> = {},
): Promise<Proxy> {
	const kind: Kind = kinds[name];
	const folder = mkdtempSync(join(tmpdir(), 'agency-proxy-'));
	// Some run as another user, who needs access to the folder, and Squid writes there.
	chmodSync(folder, name === 'Squid' ? 0o777 : 0o755);
	writeFileSync(join(folder, 'sorry.html'), '<!DOCTYPE html><title>Sorry</title>Back soon');
	writeFileSync(join(folder, 'sorry.http'), sorryWith200);
	const instance = { folder, port: await freePort() };
	const values: Record<string, string | number> = { ...kind.settings, ...settings, ...instance };
	const filled = (text: string): string =>
		text.replace(/%([a-z]+)%/g, (_, place: string) => filled(String(values[place] ?? '')));
	for (const template of [kind.template, ...(kind.others ?? [])])
		writeFileSync(
			join(folder, template),
			filled(readFileSync(join(import.meta.dirname, template), 'utf8')),
		);
	const file = join(folder, kind.template);
	const [program, ...args] = kind.command(file, instance);
	const url = `http://127.0.0.1:${instance.port}`;
	const processGroup = new ProcessGroup(program!, args, { env: environment, cwd: folder });
	const isResponding = () =>
		fetch(url).then(
			() => true,
			() => false,
		);
	await processGroup.ready(isResponding);
	return {
		url,
		setMaintenance: async (isOn) => await kind.setMaintenance?.(isOn, instance),
		async stop(signal) {
			await processGroup.stop(signal);
			rmSync(folder, { recursive: true, force: true });
		},
	};
}
