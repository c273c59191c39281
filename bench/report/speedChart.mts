// Draws how many times as fast this package is as the HTTP Request node, by how far away the service is (SVG).
import { httpRequest, ours } from '../variants.mts';
import { faintInk, ink, svgElement, svgPicture, svgText } from '../svg.mts';
import { formatNumber, medianOf, timesAsFast, type TimedComparison } from './statistics.mts';

const width = 760;
const left = 130;
const right = 210;
const top = 84;
const rowHeight = 36;
const barHeight = 22;

const faster = '#1b7f4d';
const slower = '#c2571a';

const rate = (measured: TimedComparison, variant: string): string => {
	const perSecond = (measured.items * 1000) / medianOf(measured, variant, (of) => of.milliseconds);
	return Math.round(perSecond).toLocaleString('en');
};

export function speedChart({ create, far }: Record<'create' | 'far', TimedComparison[]>): string {
	const highest = Math.max(
		1,
		...[...create, ...far].map((measured) => timesAsFast(measured, httpRequest)),
	);
	/** The length of a bar when both are equally fast. */
	const equalLength = (width - left - right) / highest;
	const bars: string[] = [];
	const labels: string[] = [];
	let y = top;

	const heading = (content: string) => {
		labels.push(svgText(20, y + 20, content, { 'font-weight': 600 }));
		y += 32;
	};
	const row = (measured: TimedComparison, delay: number) => {
		const ratio = timesAsFast(measured, httpRequest);
		const bar = {
			x: left,
			y,
			width: ratio * equalLength,
			height: barHeight,
			rx: 2,
			fill: ratio >= 1 ? faster : slower,
		};
		const baseline = y + 16;
		bars.push(svgElement('rect', bar));
		labels.push(
			svgText(left - 10, baseline, `${delay} ms`, { 'text-anchor': 'end' }),
			svgText(left + bar.width + 8, baseline + 1, `${formatNumber(ratio)} ×`, {
				'font-size': 16,
				'font-weight': 700,
			}),
			svgText(width - 20, baseline, `${rate(measured, ours)} : ${rate(measured, httpRequest)}`, {
				'text-anchor': 'end',
				fill: faintInk,
			}),
		);
		y += rowHeight;
	};

	heading('The service answers after');
	create.forEach((measured) => row(measured, measured.service.latency));
	heading('Over TLS, with a round trip of');
	far.forEach((measured) => row(measured, measured.service.roundTrip!));

	const equalLine = { x1: left + equalLength, x2: left + equalLength, y1: top + 26, y2: y };
	return svgPicture(
		width,
		y + 32,
		'Creating 2,000 records: this package beside the HTTP Request node',
		'How many times as fast, from a cold start, with default settings',
		[
			...bars,
			svgElement('line', {
				...equalLine,
				stroke: ink,
				'stroke-width': 2,
				'stroke-dasharray': '4 3',
			}),
			...labels,
			svgText(left + equalLength, y + 18, 'as fast as HTTP Request', {
				'text-anchor': 'middle',
				'font-size': 12,
			}),
			svgText(width - 20, top + 20, 'records/s: this package, HTTP Request', {
				'text-anchor': 'end',
				'font-size': 12,
				fill: faintInk,
			}),
		],
	);
}
