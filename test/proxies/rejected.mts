// For firewall.proxies.mts, in a network of its own: the service processes a request, but a firewall drops its packets
// and starts to reject the client's. Prints the node's report on the row, and how often the row exists.
import { execFileSync } from 'node:child_process';

import { sandboxCredential } from '../../n8n-in-process/sandboxCredential.mts';
import { credentialStoreWith } from '../../n8n-in-process/singleNode.mts';
import { operations } from './operations.mts';
import { comparedRows, reportedRows } from './rows.mts';
import { Service } from './service.mts';

const command = (line: string) => execFileSync('/bin/sh', ['-c', line]);
command('PATH=$PATH:/usr/sbin; ip link set lo up; sysctl -qw net.ipv4.tcp_retries2=3');
const rule = (line: string) => command(`PATH=$PATH:/usr/sbin; iptables -I OUTPUT -p tcp ${line}`);

const operation = operations.creates!;
const service = await Service.start(operation.operationId);
const url = `http://127.0.0.1:${service.port}`;
const credentials = credentialStoreWith(sandboxCredential(url, { grantType: 'password' }));
await reportedRows(operation, [{ json: { name: 'first' } }], credentials);

rule(`--sport ${service.port} --tcp-flags SYN NONE -j DROP`);
void service.moreRequests(1).then(() => rule(`--dport ${service.port} -j REJECT`));
const items = operation.items(service).slice(0, 1);
const reported = await reportedRows(operation, items, credentials);
const rows = comparedRows(service, items, reported);
console.log(JSON.stringify(rows.map(({ outcome, times }) => ({ outcome, times }))));
process.exit();
