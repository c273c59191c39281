// Measurements → docs/benchmarks.md.
import { readFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { join } from 'node:path';

import type { Shares } from './profile.mts';
import type { Taken, Task } from './worker.mts';

/** All rounds of one comparison. */
export interface Measured extends Pick<Task, 'kind' | 'items'> {
	/** Milliseconds the service takes to answer. */
	latency: number;
	/** Size of a file. */
	megabytes?: number;
	byWay: Record<string, Array<Taken & { connections: number }>>;
}

export const median = (values: readonly number[]): number =>
	[...values].sort((one, other) => one - other)[Math.floor(values.length / 2)]!;

const shown = (value: number): string =>
	Number.isNaN(value)
		? '–'
		: value >= 100
			? Math.round(value).toLocaleString('en')
			: value.toPrecision(2);

/** Median over the rounds of what one way took, divided by what the other took in the same round. */
function ratio(
	{ byWay }: Measured,
	one: string,
	other: string,
	figure: (taken: Taken) => number,
): number {
	const others = byWay[other]!;
	return median(byWay[one]!.map((taken, round) => figure(taken) / figure(others[round]!)));
}

const time = ({ milliseconds }: Taken) => milliseconds;

function version(name: string): string {
	const path = join(import.meta.dirname, '..', 'node_modules', name, 'package.json');
	return (JSON.parse(readFileSync(path, 'utf8')) as { version: string }).version;
}

const nouns: Record<Task['kind'], string> = {
	create: 'creates from input items',
	expressions: 'creates with four expressions',
	patches: 'license patches',
	list: 'list of 100,000 rows',
	upload: 'uploads',
};

function title({ kind, items, latency, megabytes }: Measured): string {
	const size = megabytes === undefined ? '' : ` of ${megabytes.toLocaleString('en')} MB`;
	const noun = kind === 'list' ? nouns.list : `${items.toLocaleString('en')} ${nouns[kind]}${size}`;
	return `${noun}, service answers after ${latency} ms`;
}

function table(measured: Measured): string {
	const unit = measured.kind === 'list' ? 100_000 : measured.items;
	const perSecond = measured.kind === 'list' ? 'rows/s' : 'items/s';
	const lines = Object.entries(measured.byWay).map(([way, rounds]) => {
		const of = (figure: (taken: (typeof rounds)[number]) => number) => median(rounds.map(figure));
		const failed = of((taken) => taken.failed);
		return [
			way.startsWith('ours') ? `**${way.replace('ours', 'this package')}**` : way,
			failed > 0 ? 'broke down' : shown(unit / (of(time) / 1000)),
			shown(of(({ cpu }) => cpu) / unit),
			shown(of(({ megabytes }) => megabytes)),
			String(of(({ connections }) => connections)),
			shown(of(({ stall }) => stall)),
		];
	});
	const head = [
		'Way',
		perSecond,
		`processor ms per ${perSecond === 'rows/s' ? 'row' : 'item'}`,
		'peak memory (MB over idle)',
		'connections',
		'longest stall (ms)',
	];
	return [head, head.map(() => '---'), ...lines]
		.map((cells) => `| ${cells.join(' | ')} |`)
		.join('\n');
}

function shares(profile: Shares): string {
	const lines = Object.entries(profile).sort(([, one], [, other]) => other - one);
	return lines.map(([owner, share]) => `| ${owner} | ${(share * 100).toFixed(1)} % |`).join('\n');
}

export function report(
	all: readonly Measured[],
	loads: readonly number[],
	profile: Shares,
	rounds: number,
): string {
	const find = (kind: Task['kind'], latency: number, is: (measured: Measured) => boolean) =>
		all.find((measured) => measured.kind === kind && measured.latency === latency && is(measured))!;
	const any = () => true;
	const of2000 = ({ items }: Measured) => items === 2000;
	const faster = (measured: Measured, than: string) =>
		`${shown(ratio(measured, than, 'ours', time))} ×`;
	const creates = [0, 20, 100].map((latency) => find('create', latency, of2000));
	const quick = creates.slice(0, 2);
	const many = find('create', 0, ({ items }) => items === 20_000).byWay.ours!;
	const big = find('upload', 0, ({ items }) => items === 1);
	const processor = quick.map((measured) =>
		ratio(measured, 'ours', 'HTTP Request', ({ cpu }) => cpu).toFixed(2),
	);
	const expressions = [0, 20].map((latency) => find('expressions', latency, any));
	const list = (values: readonly string[]) => values.join(' / ');
	const [cpu] = cpus();
	const targets = [
		[
			'2,000 creates, 0 / 20 ms: items/s',
			'HTTP Request',
			'2 ×',
			list(quick.map((m) => faster(m, 'HTTP Request'))),
		],
		['the same: processor time of an item', 'HTTP Request', 'at most 0.5', list(processor)],
		[
			'2,000 creates with four expressions, 0 / 20 ms',
			'HTTP Request with the same four',
			'1.3 ×',
			list(expressions.map((m) => faster(m, 'HTTP Request'))),
		],
		[
			'2,000 creates, 0 / 20 / 100 ms',
			"bare loop over n8n's request helper",
			'0.9 ×',
			list(creates.map((m) => faster(m, 'bare loop'))),
		],
		[
			'10,000 license patches, 20 ms',
			'HTTP Request, one request an item',
			'30 ×',
			faster(find('patches', 20, any), 'HTTP Request'),
		],
		[
			'100,000-row list, 20 ms, pages of 1,000',
			'HTTP Request with its pagination',
			'3 ×',
			faster(find('list', 20, any), 'HTTP Request'),
		],
		[
			'1 GB upload: peak memory',
			'idle',
			'under 100 MB',
			`${shown(median(big.byWay.ours!.map(({ megabytes }) => megabytes)))} MB`,
		],
		[
			'1 GB upload: speed',
			'axios + form-data, streamed',
			'0.8 ×',
			faster(big, 'axios + form-data'),
		],
		[
			'20,000 creates: connections',
			'the window',
			'at most 32',
			String(Math.max(...many.map(({ connections }) => connections))),
		],
		[
			'20,000 creates: longest stall of the event loop',
			'–',
			'under 250 ms',
			`${shown(Math.max(...many.map(({ stall }) => stall)))} ms`,
		],
		['Loading all nodes and the credential', '–', 'under 60 ms', `${shown(median(loads))} ms`],
	];
	return `# Benchmarks

![2,000 creates: items per second, by way and by how long the service takes to answer](pictures/benchmarks.svg)

Made by \`npm run bench\` (${rounds} rounds, ways interleaved; every measurement a process of its own; the service is a plain server in another one). Nodes run in n8n-core ${version('n8n-core')} with the expression engine that n8n's server uses; the HTTP Request node is n8n's own, with this package's credential. The ratios are medians of the rounds' ratios and carry over to other machines; times and rates are of this machine only: ${cpus().length} × ${cpu!.model.trim()}, ${Math.round(totalmem() / 2 ** 30)} GiB, Node.js ${process.versions.node}, ${process.platform}.

| Work | Beside | Goal | Measured |
| --- | --- | --- | --- |
${targets.map((cells) => `| ${cells.join(' | ')} |`).join('\n')}

What keeps the first four rows from more: n8n's request helper makes new agents and a new connection for every request, and n8n evaluates every expression by itself, a call into its expression engine each (about a third of a millisecond here, in every node alike). Answers are read as streams, so that a broken one cannot fill the memory; that is most of the distance to the bare loop, which trusts them. With 20 ms the HTTP Request node hides the delay behind 2,000 connections at once, where this package stays with 32; set _Parallel Requests_ higher if the service bears it, and give many records by "Fields of the Input Item", which needs no expressions. Beyond that, n8n would have to keep connections between requests, and to evaluate all parameters of an item in one call.

The ways: the _HTTP Request_ node and a declarative _routing node_ start all items at once, and at 20,000 run out of what the system allows a process; the _bare loop_ is the least a node can do with n8n's request helper, 32 requests at a time, and so the floor that n8n sets; the _keep-alive client_ is no node at all, and the floor that the wire sets.

## Where the time goes

Self time of the processor during 2,000 creates from input items (service without delay), by whose code it is in:

| Code of | Share |
| --- | --- |
${shares(profile)}

${all.map((measured) => `## ${title(measured)}\n\n${table(measured)}`).join('\n\n')}
`;
}
