// One table for each comparison.
import { ours } from '../names.mts';
import type { Kind } from '../client/task.mts';
import type { Measured } from '../measure.mts';
import { totalRows } from '../service/answers.mts';
import type { Place } from '../service/place.mts';
import { shown, typical, type Figure } from './figures.mts';

/** Markdown. */
export const table = (head: readonly string[], lines: ReadonlyArray<readonly string[]>): string =>
	[head, head.map(() => '---'), ...lines].map((cells) => `| ${cells.join(' | ')} |`).join('\n');

const count = (value: number): string => value.toLocaleString('en');

/** What there is to say of a comparison before it was measured. */
type Planned = Pick<Measured, 'kind' | 'items' | 'place' | 'megabytes'>;

const works: Record<Kind, (of: Planned) => string> = {
	create: ({ items }) => `${count(items)} creates from input items`,
	expressions: ({ items }) => `${count(items)} creates with four expressions`,
	patches: ({ items }) => `${count(items)} license patches`,
	list: () => `list of ${count(totalRows)} rows`,
	upload: ({ items, megabytes }) =>
		`${count(items)} ${items === 1 ? 'upload' : 'uploads'} of ${count(megabytes!)} MB`,
};

function where({ latency, capacity, roundTrip }: Place): string {
	if (roundTrip) return `over TLS, round trip of ${roundTrip} ms`;
	if (capacity) return `service serves ${capacity} at once, ${latency} ms each`;
	return `service answers after ${latency} ms`;
}

/** What is compared, and where. */
export const title = (planned: Planned): string =>
	`${works[planned.kind](planned)}, ${where(planned.place)}`;

/** Below it, how long the run takes says more than how many it does in a second. */
const smallRun = 100;

interface Column {
	head: string;
	cell: (of: (figure: Figure) => number) => string;
}

function columnsOf({ kind, items, place }: Measured): Column[] {
	const [unit, name] = kind === 'list' ? [totalRows, 'row'] : [items, 'item'];
	const milliseconds: Column = {
		head: 'milliseconds',
		cell: (of) => shown(of((round) => round.milliseconds)),
	};
	const waiting: Column = {
		head: 'most waiting',
		cell: (of) => count(of((round) => round.waiting)),
	};
	return [
		...(unit < smallRun ? [milliseconds] : []),
		{ head: `${name}s/s`, cell: (of) => shown((unit * 1000) / of((round) => round.milliseconds)) },
		{ head: `processor ms per ${name}`, cell: (of) => shown(of(({ cpu }) => cpu) / unit) },
		{
			head: 'peak memory (MB over idle)',
			cell: (of) => shown(of(({ megabytes }) => megabytes)),
		},
		{
			head: 'connections',
			cell: (of) => count(of(({ connections }) => connections)),
		},
		{ head: 'longest stall (ms)', cell: (of) => shown(of(({ stall }) => stall)) },
		...(place.capacity ? [waiting] : []),
	];
}

function tableOf(measured: Measured): string {
	const columns = columnsOf(measured);
	const lines = Object.keys(measured.byWay).map((way) => {
		const of = (figure: Figure) => typical(measured, way, figure);
		const name = way.startsWith(ours) ? `**${way}**` : way;
		if (of(({ failed }) => failed) > 0) return [name, 'broke down'];
		return [name, ...columns.map(({ cell }) => cell(of))];
	});
	return table(['Way', ...columns.map(({ head }) => head)], lines);
}

/** Of one comparison: by way, medians of the rounds. */
export const titledTable = (measured: Measured): string =>
	`## ${title(measured)}\n\n${tableOf(measured)}`;
