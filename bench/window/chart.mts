// Histories → requests under way over time (SVG): a small chart for each.
import { faint, ink, picture, shape, text } from '../svg.mts';
import type { History, Moment } from './simulate.mts';

export interface Panel {
	title: string;
	history: History;
}

const total = '#c8102e';
const each = '#5b8db8';

const columns = 2;
const width = 880;
const panelWidth = width / columns;
const panelHeight = 220;
const top = 84;
const plot = { left: 50, top: 34, width: panelWidth - 80, height: 130 };
const points = 200;

const sum = ({ underWay }: Moment): number => underWay.reduce((all, own) => all + own, 0);

/** The highest value in each of so many equal spans of time; what nothing changed stays. */
function highest(moments: readonly Moment[], value: (moment: Moment) => number): number[] {
	const span = moments.at(-1)!.at / points;
	const values = Array.from({ length: points }, () => -1);
	for (const moment of moments) {
		const index = Math.min(points - 1, Math.floor(moment.at / span));
		values[index] = Math.max(values[index]!, value(moment));
	}
	let last = 0;
	return values.map((here) => (last = here < 0 ? last : here));
}

/** A round number not below, to end an axis. */
function roundUp(value: number): number {
	const power = 10 ** Math.floor(Math.log10(value));
	return [1, 1.5, 2, 3, 4, 6, 8, 10].find((factor) => factor * power >= value)! * power;
}

function panel({ title, history }: Panel, x: number, y: number): string {
	const { moments, capacity, crew } = history;
	const totals = highest(moments, sum);
	const ceiling = roundUp(Math.max(...totals));
	const seconds = moments.at(-1)!.at / 1000;
	const left = x + plot.left;
	const bottom = y + plot.top + plot.height;
	const height = (value: number) => bottom - (value / ceiling) * plot.height;
	const line = (values: readonly number[], stroke: string, strokeWidth: number) =>
		shape('polyline', {
			points: values
				.map((value, index) => {
					const across = left + (index / (points - 1)) * plot.width;
					return `${across.toFixed(1)},${height(value).toFixed(1)}`;
				})
				.join(' '),
			fill: 'none',
			stroke,
			'stroke-width': strokeWidth,
			'stroke-linejoin': 'round',
		});
	const across = (value: number, attributes: Record<string, string | number>) =>
		shape('line', {
			x1: left,
			x2: left + plot.width,
			y1: height(value),
			y2: height(value),
			...attributes,
		});
	const small = { 'font-size': 12, fill: faint };
	const own = crew.map((_, index) =>
		line(
			highest(moments, (at) => at.underWay[index]!),
			each,
			1,
		),
	);
	return [
		text(left, y + 18, title, { 'font-weight': 600 }),
		...[0, ceiling / 2, ceiling].flatMap((value) => [
			across(value, { stroke: '#d5dbe1', 'stroke-width': 1 }),
			text(left - 8, height(value) + 4, String(value), { ...small, 'text-anchor': 'end' }),
		]),
		...(crew.length > 1 ? own : []),
		line(totals, total, 2),
		...(capacity < Infinity
			? [across(capacity, { stroke: ink, 'stroke-width': 1.5, 'stroke-dasharray': '5 4' })]
			: []),
		text(left, bottom + 18, '0', small),
		text(left + plot.width, bottom + 18, `${seconds.toFixed(seconds < 10 ? 1 : 0)} s`, {
			...small,
			'text-anchor': 'end',
		}),
	].join('\n');
}

export const chart = (panels: readonly Panel[]): string =>
	picture(
		width,
		top + Math.ceil(panels.length / columns) * panelHeight,
		'How many requests are under way over time',
		'Red: in all. Blue: of each process, where there are several. Dashed: what the service works on at once.',
		panels.map((each_, index) =>
			panel(each_, (index % columns) * panelWidth, top + Math.floor(index / columns) * panelHeight),
		),
	);
