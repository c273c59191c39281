// What goes wrong behind a proxy, or in it.
import { setTimeout as delay } from 'node:timers/promises';

import type { FaultRule } from '../../sandbox/faults.mts';
import type { Proxy, ProxyName } from './proxies.mts';
import type { Service } from './service.mts';

export interface ProxyFault {
	/** In the words of the table in docs/reliability.md. */
	title: string;
	/** What the service does to some of the requests. */
	rule?: FaultRule;
	/** Whether the service does so to every request. */
	toAll?: boolean;
	/** What happens once some requests have arrived. */
	during?: (service: Service, proxy: Proxy) => Promise<void>;
	/** The operations that it is tried with; all of them if this is not given. */
	only?: readonly string[];
	/** Lines for the configurations of the proxies that can do this; all can if this is not given. */
	settings?: Partial<Record<ProxyName, Record<string, string>>>;
}

const hangs: FaultRule = { fault: 'delayBefore', milliseconds: 600_000 };

/** So that requests are in progress when something happens. */
const slowly = { rule: { fault: 'delayBefore', milliseconds: 50 }, toAll: true } as const;

const limit = 'limit_req zone=clients burst=10 nodelay;';

/**
 * A web application firewall with the rules of its package, which also read responses. By default it reads those of
 * the type text/html, which PHP sends unless it is told another; the sandbox says application/json.
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
	},
	{ title: 'The service breaks the connection within its response', rule: { fault: 'cutOff' } },
	{
		title: 'The service processes the request, then answers 503 with `Retry-After`',
		rule: { fault: 'failAfter', status: 503, retryAfter: 1 },
	},
	{ title: 'The service is restarted', ...slowly, during: (service) => service.restart() },
	{
		title: 'The proxy is in maintenance for two seconds',
		...slowly,
		async during(_service, proxy) {
			await proxy.setMaintenance(true);
			await delay(2000);
			await proxy.setMaintenance(false);
		},
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
			HAProxy: {
				frontend: 'http-request deny deny_status 429 if { sc_http_req_rate(0) gt 30 }',
			},
		},
	},
	{
		title: 'The proxy limits the rate, with 503',
		settings: { nginx: { location: limit } },
	},
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
		title: 'A firewall in the proxy objects to the response',
		...slowly,
		during: async (service) => service.writeNotices(),
		// Its rules allow no PATCH and no DELETE.
		only: ['creates'],
		settings: { Apache: { modules: modSecurity } },
	},
];
