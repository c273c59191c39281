// What goes wrong behind a proxy, or in it.
import { setTimeout as delay } from 'node:timers/promises';

import type { FaultRule } from '../../sandbox/faults.mts';
import type { Proxy, ProxyName } from './proxies.mts';
import type { Service } from './service.mts';

export interface ProxyFault {
	/** As the table in the docs says it. */
	title: string;
	/** What the service does to some of the requests. */
	rule?: FaultRule;
	/** Whether the service does so to every request. */
	toAll?: boolean;
	/** What happens once some requests have arrived. */
	during?: (service: Service, proxy: Proxy) => Promise<void>;
	/** The operations that it is tried with; all of them if this is not given. */
	only?: readonly string[];
	/** Lines of the configurations of the proxies that can do this. */
	settings?: Partial<Record<ProxyName, Record<string, string>>>;
}

/** So that requests are in progress when something happens. */
const slowly = { rule: { fault: 'delayBefore', milliseconds: 50 }, toAll: true } as const;

/** With the rules that its package brings. A service in PHP that names no type sends text/html; the sandbox names JSON. */
const modSecurity = `
LoadModule unique_id_module /usr/lib/apache2/modules/mod_unique_id.so
LoadModule security2_module /usr/lib/apache2/modules/mod_security2.so
Include /etc/modsecurity/modsecurity.conf-recommended
SecRuleEngine On
SecAuditEngine Off
SecResponseBodyMimeType text/plain text/html text/xml application/json
Include /usr/share/modsecurity-crs/owasp-crs.load`;

const limit = 'limit_req zone=clients burst=10 nodelay;';

export const faults: readonly ProxyFault[] = [
	{
		title: 'The service hangs, and processes the request',
		rule: { fault: 'delayBefore', milliseconds: 600_000 },
	},
	{
		title: 'It processes the request, and breaks the connection',
		rule: { fault: 'resetAfter' },
	},
	{
		title: 'It breaks the connection within its response',
		rule: { fault: 'cutOff' },
	},
	{
		title: 'It processes the request, and answers 503 with `Retry-After`',
		rule: { fault: 'failAfter', status: 503, retryAfter: 1 },
	},
	{
		title: 'It is restarted',
		...slowly,
		during: (service) => service.restart(),
	},
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
		title: 'The proxy has no room for more requests',
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
		title: 'It limits requests, with 429',
		settings: {
			nginx: { location: `${limit} limit_req_status 429;` },
			HAProxy: {
				frontend: 'http-request deny deny_status 429 if { sc_http_req_rate(0) gt 30 }',
			},
		},
	},
	{
		title: 'It limits requests, with 503',
		settings: { nginx: { location: limit } },
	},
	{
		title: 'The service hangs, and the proxy shows a page of its own',
		rule: { fault: 'delayBefore', milliseconds: 600_000 },
		settings: {
			nginx: {
				pages:
					'error_page 502 503 504 @sorry; location @sorry { root %folder%; rewrite ^ /sorry.html break; }',
			},
		},
	},
	{
		title: 'The service hangs, and the page of the proxy is missing',
		rule: { fault: 'delayBefore', milliseconds: 600_000 },
		settings: { nginx: { pages: 'error_page 502 503 504 /50x.html; location = /50x.html { root %folder%; }' } },
	},
	{
		title: 'A firewall in the proxy finds fault with the response',
		...slowly,
		during: async (service) => service.writeNotices(),
		// Its rules know no PATCH and no DELETE.
		only: ['creates'],
		settings: { Apache: { modules: modSecurity } },
	},
];
