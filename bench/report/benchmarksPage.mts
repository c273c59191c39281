// Writes docs/benchmarks.md from the measurements.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { CpuShares } from '../client/cpuProfile.mts';
import type { Results } from '../measure.mts';
import { table } from '../../scripts/docs/markdown.mts';
import { benchmarkGoals } from './goals.mts';
import { goalTable } from './goalTable.mts';
import { machineDescription } from './machine.mts';
import { comparisonSection } from './tables.mts';

function version(name: string): string {
	const path = join(import.meta.dirname, '..', '..', 'node_modules', name, 'package.json');
	return (JSON.parse(readFileSync(path, 'utf8')) as { version: string }).version;
}

const shareTable = (profile: CpuShares): string =>
	table(
		['Code of', 'Share'],
		Object.entries(profile)
			.sort(([, one], [, other]) => other - one)
			.map(([owner, share]) => [owner, `${(share * 100).toFixed(1)} %`]),
	);

/** @param loads the milliseconds of each time the package was loaded */
export const benchmarksPage = (
	results: Results,
	loads: readonly number[],
	profile: CpuShares,
	rounds: number,
): string => `# Benchmarks

![Creating 2,000 records: how many times as fast as the HTTP Request node, by how far away the service is](pictures/benchmarks.svg)

Made by \`npm run bench\` (${rounds} rounds, each round measures all variants one after another; every measurement a process of its own; the service is a plain server in another one). Nodes run in n8n-core ${version('n8n-core')} with the expression engine that n8n's server uses; the HTTP Request node is n8n's own, with this package's credential. Settings have their defaults, but for the size of a list's pages. A measurement begins as in an n8n that has been running: the code is warm, by work with another account, and the account has a token; but nothing is known of the service yet, unless it says "again".

${goalTable(benchmarkGoals(results, loads))}

Figures in bold are short of their goal. Those with × compare speeds, or processor times, in the same round; they are medians of the rounds and carry over to other machines. Waiting requests, connections, memory and stalls are the highest of all rounds. Times and rates are of this machine only: ${machineDescription()}.

**What costs time.** n8n's request helper makes new agents and a new connection for every request, over TLS with a new handshake each, and n8n evaluates every expression by itself, a call into its expression engine each, in every node alike: give many records by "Fields of the Input Item", which needs none. Beyond that, n8n would have to keep connections between requests, and to evaluate all parameters of an item in one call.

**In the full n8n** the HTTP Request node also reads and decrypts its credential for every item, which costs it more than all that is measured here: [In the full n8n](full-n8n.md) has the figures that users will see.

**How many at once.** The HTTP Request node and a declarative node start all items at once: however far away the service is, they wait for it only once, but the service meets them all. This package begins with few requests and sends more at once as long as the service stays as quick, up to _Parallel Requests_; so a run of a few hundred items over a long way takes it longer, and a slow service does not have all of them waiting in front of it. What it has learned serves the next run. [How many requests at once](reliability.md#how-many-requests-at-once) says how it finds its way.

**The variants.** The _HTTP Request_ node. A declarative _routing node_. The _bare loop_ is the least a node can do with n8n's request helper, as many requests at a time as this package sends at most, from the first moment on, and so the floor that n8n sets; it trusts the service's answers, which this package reads as streams, so that a broken one cannot fill the memory. The _keep-alive client_ is no node at all, and the floor that the wire sets. Over TLS (1.3) connecting, the handshake and the request take a round trip each; the distance is made by a relay that delays each direction, and checked by bare requests before.

## Where the time goes

Self time of the processor during 2,000 creates from input items (service without delay), by whose code it is in:

${shareTable(profile)}

${Object.values(results).flat().map(comparisonSection).join('\n\n')}
`;
