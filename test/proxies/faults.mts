// The faults behind a proxy, or in it.
import { setTimeout as delay } from 'node:timers/promises';

import type { FaultRule } from '../../sandbox/faults.mts';
import type { Proxy, ProxyName } from './proxies.mts';
import type { Service } from './service.mts';

export interface ProxyFault {
	/** In the words of the table in docs/reliability.md. */
	title: string;
	/** What the service does to some of the requests. */
	rule?: FaultRule;
	/** Less usual proxies to test it behind, too; it needs no settings there. */
	others?: readonly ProxyName[];
	/** An outcome that no row may have. */
	never?: string;
	/** The number of rows that may be in doubt although they were never processed. */
	mostInVain?: number;
	/** Whether the service does so to every request. */
	toAll?: boolean;
	/** Called once some requests have arrived. */
	during?: (service: Service, proxy: Proxy) => Promise<void>;
	/** The operations to try; all by default. */
	only?: readonly string[];
	/** Configuration lines for the proxies that can do this; by default, all can. */
	settings?: Partial<Record<ProxyName, Record<string, string>>>;
}

const hangs: FaultRule = { fault: 'delayBefore', milliseconds: 600_000 };

/** So that requests are in progress when the fault occurs. */
const slowly = { rule: { fault: 'delayBefore', milliseconds: 50 }, toAll: true } as const;

async function maintain(proxy: Proxy, milliseconds: number): Promise<void> {
	await proxy.setMaintenance(true);
	await delay(milliseconds);
	await proxy.setMaintenance(false);
}

/** If the service does not respond, nginx asks another server, with the same method and body. */
const asksOther = (other: string): string => `error_page 502 503 504 = @other;
	location @other { proxy_pass ${other}; }`;

/** During maintenance, PHP exits before it has done anything. It returns 200 if its program sets no other status. */
const inMaintenance = {
	...slowly,
	only: ['creates', 'DELETE'],
	during: async (_service: Service, proxy: Proxy) => maintain(proxy, 1000),
};

/** PHP settings, as passed to its parts. */
const php = (ending: string, values: Record<string, string>) => ({
	mod_php: {
		ending,
		php: Object.entries(values)
			.map(([name, value]) => `php_admin_value ${name} ${value}`)
			.join('\n'),
	},
	'PHP-FPM': {
		ending,
		php: Object.entries(values)
			.map(([name, value]) => `php_admin_value[${name}] = ${value}`)
			.join('\n'),
	},
});

const limit = 'limit_req zone=clients burst=10 nodelay;';

/**
 * A web application firewall with its package's rules, which also inspect responses. By default it inspects those of
 * type text/html, PHP's default type; the sandbox sends application/json.
 */
const modSecurity = `
LoadModule unique_id_module /usr/lib/apache2/modules/mod_unique_id.so
LoadModule security2_module /usr/lib/apache2/modules/mod_security2.so
Include /etc/modsecurity/modsecurity.conf-recommended
SecRuleEngine On
SecAuditEngine Off
SecResponseBodyMimeType text/plain text/html text/xml application/json
Include /usr/share/modsecurity-crs/owasp-crs.load`;

export const faults: readonly ProxyFault[] = [
	{ title: 'The service hangs, then processes the request', rule: hangs },
	{
		title: 'The service processes the request, then breaks the connection',
		rule: { fault: 'resetAfter' },
		others: ['lighttpd', 'tinyproxy'],
	},
	{ title: 'The service breaks the connection within its response', rule: { fault: 'cutOff' } },
	{
		title: 'The service processes the request, then answers 503 with `Retry-After`',
		rule: { fault: 'failAfter', status: 503, retryAfter: 1 },
	},
	{
		title: 'The service is restarted',
		...slowly,
		during: (service) => service.restart(),
		others: ['lighttpd', 'tinyproxy'],
	},
	{
		title: 'The proxy is in maintenance for two seconds, and says so with 200',
		...slowly,
		during: async (_service, proxy) => maintain(proxy, 2000),
		settings: {
			nginx: {
				pages: `error_page 502 503 504 =200 @sorry;
				location @sorry { default_type application/json; return 200 '{"message":"Back soon"}'; }`,
			},
			HAProxy: { frontend: 'errorfile 503 %folder%/sorry.http' },
		},
	},
	{
		title: 'The proxy is in maintenance for two seconds',
		...slowly,
		during: async (_service, proxy) => maintain(proxy, 2000),
	},
	{
		title: 'The proxy allows the service two requests at once',
		rule: { fault: 'delayBefore', milliseconds: 100 },
		toAll: true,
		settings: {
			nginx: { server: 'max_conns=2' },
			HAProxy: { server: 'maxconn 2' },
			Varnish: { backend: '.max_connections = 2;' },
			Apache: { worker: 'max=2 acquire=100' },
		},
	},
	{
		title: 'The proxy limits the rate, with 429',
		settings: {
			nginx: { location: `${limit} limit_req_status 429;` },
			HAProxy: { frontend: 'http-request deny deny_status 429 if { sc_http_req_rate(0) gt 30 }' },
		},
	},
	{ title: 'The proxy limits the rate, with 503', settings: { nginx: { location: limit } } },
	{
		title: 'The proxy asks for a password, with 401',
		only: ['creates'],
		settings: {
			nginx: {
				pages: `location /agencyshiftschedules {
					auth_basic "staff";
					auth_basic_user_file /dev/null;
					proxy_pass http://service;
				}`,
			},
		},
	},
	{
		title: 'The proxy takes no file of that size, with 413',
		only: ['uploads'],
		settings: { nginx: { location: 'client_max_body_size 1m;' } },
	},
	{
		title: 'The service hangs, and the proxy shows a page of its own',
		rule: hangs,
		settings: {
			nginx: {
				pages: `error_page 502 503 504 @sorry;
				location @sorry { root %folder%; rewrite ^ /sorry.html break; }`,
			},
		},
	},
	{
		title: 'The service hangs, and the page of the proxy is missing',
		rule: hangs,
		settings: {
			nginx: {
				pages: `error_page 502 503 504 /50x.html;
				location = /50x.html { root %folder%; }`,
			},
		},
	},
	{
		title: 'The service hangs, and another server asks for a password in its place',
		rule: hangs,
		settings: {
			nginx: {
				http: `server {
					listen unix:%folder%/other.sock;
					location / { auth_basic "staff"; auth_basic_user_file /dev/null; }
				}`,
				pages: asksOther('http://unix:%folder%/other.sock:'),
			},
		},
	},
	{
		title: 'The service hangs, and another server (Fastify) knows no such route',
		rule: hangs,
		settings: { nginx: { pages: asksOther('http://127.0.0.1:%other%') } },
	},
	{
		title: 'PHP ends with a fatal error, and shows it',
		...inMaintenance,
		settings: php('undefined_function();', { display_errors: '1' }),
	},
	{ title: 'PHP ends without a word', ...inMaintenance, settings: php('exit;', {}) },
	{
		title: 'PHP takes no file of that size, and the service goes on without it',
		only: ['uploads'],
		never: 'success',
		settings: php('', { upload_max_filesize: '1M', post_max_size: '20M' }),
	},
	{
		title: 'PHP takes no request of that size, and warns of it',
		only: ['uploads'],
		never: 'success',
		settings: php('', { post_max_size: '1M', display_errors: '1', display_startup_errors: '1' }),
	},
	{
		title: 'A guard in the proxy (mod_evasive) blocks whoever asks too often, with 403',
		only: ['creates', 'requests', 'DELETE'],
		mostInVain: 40,
		settings: {
			Apache: {
				modules: `LoadModule evasive20_module /usr/lib/apache2/modules/mod_evasive20.so
					DOSLogDir %folder%
					DOSPageCount 20
					DOSPageInterval 1
					DOSBlockingPeriod 2`,
			},
		},
	},
	{
		title: 'A firewall in the proxy objects to the response, with a text of its own',
		...slowly,
		during: async (service) => service.writeNotices(),
		only: ['creates'],
		settings: { Apache: { modules: `${modSecurity}\nErrorDocument 403 "Forbidden"` } },
	},
	{
		title: 'A firewall in the proxy objects to the response',
		...slowly,
		during: async (service) => service.writeNotices(),
		// Its rules allow neither PATCH nor DELETE.
		only: ['creates'],
		settings: { Apache: { modules: modSecurity } },
	},
];
