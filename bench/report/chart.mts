// Measurements → a chart: how many times as fast as the HTTP Request node, by distance (SVG).
import { httpRequest, ours } from '../names.mts';
import { faint, ink, picture, shape, text } from '../svg.mts';
import { shown, speed, typical, type Timed } from './figures.mts';

const width = 760;
const left = 130;
const right = 210;
const top = 84;
const rowHeight = 36;
const barHeight = 22;

const faster = '#1b7f4d';
const slower = '#c2571a';

const rate = (measured: Timed, way: string): string => {
	const perSecond = (measured.items * 1000) / typical(measured, way, (of) => of.milliseconds);
	return Math.round(perSecond).toLocaleString('en');
};

export function chart({ create, far }: { create: Timed[]; far: Timed[] }): string {
	const highest = Math.max(
		1,
		...[...create, ...far].map((measured) => speed(measured, httpRequest)),
	);
	/** Where both are equally fast. */
	const one = (width - left - right) / highest;
	const bars: string[] = [];
	const labels: string[] = [];
	let y = top;

	const heading = (content: string) => {
		labels.push(text(20, y + 20, content, { 'font-weight': 600 }));
		y += 32;
	};
	const row = (measured: Timed, distance: number) => {
		const times = speed(measured, httpRequest);
		const bar = {
			x: left,
			y,
			width: times * one,
			height: barHeight,
			rx: 2,
			fill: times >= 1 ? faster : slower,
		};
		const baseline = y + 16;
		bars.push(shape('rect', bar));
		labels.push(
			text(left - 10, baseline, `${distance} ms`, { 'text-anchor': 'end' }),
			text(left + bar.width + 8, baseline + 1, `${shown(times)} ×`, {
				'font-size': 16,
				'font-weight': 700,
			}),
			text(width - 20, baseline, `${rate(measured, ours)} : ${rate(measured, httpRequest)}`, {
				'text-anchor': 'end',
				fill: faint,
			}),
		);
		y += rowHeight;
	};

	heading('The service answers after');
	create.forEach((measured) => row(measured, measured.place.latency));
	heading('Over TLS, with a round trip of');
	far.forEach((measured) => row(measured, measured.place.roundTrip!));

	const equal = { x1: left + one, x2: left + one, y1: top + 26, y2: y };
	return picture(
		width,
		y + 32,
		'Creating 2,000 records: this package beside the HTTP Request node',
		'How many times as fast, from a cold start, with default settings',
		[
			...bars,
			shape('line', { ...equal, stroke: ink, 'stroke-width': 2, 'stroke-dasharray': '4 3' }),
			...labels,
			text(left + one, y + 18, 'as fast as HTTP Request', {
				'text-anchor': 'middle',
				'font-size': 12,
			}),
			text(width - 20, top + 20, 'records/s: this package, HTTP Request', {
				'text-anchor': 'end',
				'font-size': 12,
				fill: faint,
			}),
		],
	);
}
