// The section of a page for each comparison: a heading, and a table with a line for each variant.
import { table } from '../../scripts/docs/markdown.mts';
import { ours } from '../variants.mts';
import type { Workload } from '../client/measurement.mts';
import type { MeasuredComparison } from '../measure.mts';
import { totalVendors } from '../service/answers.mts';
import type { ServiceConditions } from '../service/startService.mts';
import { formatNumber, medianOf, type Figure } from './statistics.mts';

const count = (value: number): string => value.toLocaleString('en');

/** What is known of a comparison before it is measured. */
type Planned = Pick<MeasuredComparison, 'workload' | 'items' | 'service' | 'megabytes'>;

const workloadTitles: Record<Workload, (of: Planned) => string> = {
	create: ({ items }) => `${count(items)} creates from input items`,
	expressions: ({ items }) => `${count(items)} creates with four expressions`,
	patches: ({ items }) => `${count(items)} license patches`,
	list: () => `list of ${count(totalVendors)} rows`,
	upload: ({ items, megabytes }) =>
		`${count(items)} ${items === 1 ? 'upload' : 'uploads'} of ${count(megabytes!)} MB`,
};

function conditionsTitle({ latency, capacity, roundTrip }: ServiceConditions): string {
	if (roundTrip) return `over TLS, round trip of ${roundTrip} ms`;
	if (capacity) return `service serves ${capacity} at once, ${latency} ms each`;
	return `service answers after ${latency} ms`;
}

/** The work that is compared, and the conditions of the service. */
export const comparisonTitle = (planned: Planned): string =>
	`${workloadTitles[planned.workload](planned)}, ${conditionsTitle(planned.service)}`;

/** A run of fewer items than this also shows how long it took, since items per second say little of so short a run. */
const smallRun = 100;

interface Column {
	head: string;
	cell: (of: (figure: Figure) => number) => string;
}

function columnsOf({ workload, items, service }: MeasuredComparison): Column[] {
	const [unit, name] = workload === 'list' ? [totalVendors, 'row'] : [items, 'item'];
	const milliseconds: Column = {
		head: 'milliseconds',
		cell: (of) => formatNumber(of((round) => round.milliseconds)),
	};
	const waiting: Column = {
		head: 'most waiting',
		cell: (of) => count(of((round) => round.waiting)),
	};
	return [
		...(unit < smallRun ? [milliseconds] : []),
		{
			head: `${name}s/s`,
			cell: (of) => formatNumber((unit * 1000) / of((round) => round.milliseconds)),
		},
		{ head: `processor ms per ${name}`, cell: (of) => formatNumber(of(({ cpu }) => cpu) / unit) },
		{
			head: 'peak memory (MB over idle)',
			cell: (of) => formatNumber(of(({ megabytes }) => megabytes)),
		},
		{
			head: 'connections',
			cell: (of) => count(of(({ connections }) => connections)),
		},
		{ head: 'longest stall (ms)', cell: (of) => formatNumber(of(({ stall }) => stall)) },
		...(service.capacity ? [waiting] : []),
	];
}

function tableOf(measured: MeasuredComparison): string {
	const columns = columnsOf(measured);
	const lines = Object.keys(measured.byVariant).map((variant) => {
		const of = (figure: Figure) => medianOf(measured, variant, figure);
		const name = variant.startsWith(ours) ? `**${variant}**` : variant;
		if (of(({ failed }) => failed) > 0) return [name, 'broke down'];
		return [name, ...columns.map(({ cell }) => cell(of))];
	});
	return table(['Variant', ...columns.map(({ head }) => head)], lines);
}

/** The heading and the table of one comparison: for each variant, the medians of its rounds. */
export const comparisonSection = (measured: MeasuredComparison): string =>
	`## ${comparisonTitle(measured)}\n\n${tableOf(measured)}`;
