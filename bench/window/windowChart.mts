// Draws how many requests are in flight over time: a small chart for each simulation (SVG).
import { faintInk, ink, svgElement, svgPicture, svgText, type SvgAttributes } from '../svg.mts';
import type { LoadSample, SimulationHistory } from './simulate.mts';

export interface Panel {
	title: string;
	history: SimulationHistory;
}

const totalColor = '#c8102e';
const processColor = '#5b8db8';

const columns = 2;
const width = 880;
const panelWidth = width / columns;
const panelHeight = 220;
const top = 84;
const plot = { left: 50, top: 34, width: panelWidth - 80, height: 130 };
const points = 200;

const sum = ({ inFlight }: LoadSample): number => inFlight.reduce((all, own) => all + own, 0);

/** The highest value in each of `points` equal spans of time; where nothing changed, the value before stays. */
function highestBySpan(
	samples: readonly LoadSample[],
	value: (sample: LoadSample) => number,
): number[] {
	const span = samples.at(-1)!.at / points;
	const values = Array.from({ length: points }, () => -1);
	for (const sample of samples) {
		const index = Math.min(points - 1, Math.floor(sample.at / span));
		values[index] = Math.max(values[index]!, value(sample));
	}
	let last = 0;
	return values.map((here) => (last = here < 0 ? last : here));
}

/** Rounds up to a round number, at which an axis ends. */
function roundUp(value: number): number {
	const power = 10 ** Math.floor(Math.log10(value));
	return [1, 1.5, 2, 3, 4, 6, 8, 10].find((factor) => factor * power >= value)! * power;
}

function drawPanel({ title, history }: Panel, x: number, y: number): string {
	const { samples, capacity, senders } = history;
	const totals = highestBySpan(samples, sum);
	const ceiling = roundUp(Math.max(...totals));
	const seconds = samples.at(-1)!.at / 1000;
	const left = x + plot.left;
	const bottom = y + plot.top + plot.height;
	const height = (value: number) => bottom - (value / ceiling) * plot.height;
	const line = (values: readonly number[], stroke: string, strokeWidth: number) =>
		svgElement('polyline', {
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
	const horizontalLine = (value: number, attributes: SvgAttributes) =>
		svgElement('line', {
			x1: left,
			x2: left + plot.width,
			y1: height(value),
			y2: height(value),
			...attributes,
		});
	const small = { 'font-size': 12, fill: faintInk };
	const processLines = senders.map((_, index) =>
		line(
			highestBySpan(samples, (at) => at.inFlight[index]!),
			processColor,
			1,
		),
	);
	return [
		svgText(left, y + 18, title, { 'font-weight': 600 }),
		...[0, ceiling / 2, ceiling].flatMap((value) => [
			horizontalLine(value, { stroke: '#d5dbe1', 'stroke-width': 1 }),
			svgText(left - 8, height(value) + 4, String(value), { ...small, 'text-anchor': 'end' }),
		]),
		...(senders.length > 1 ? processLines : []),
		line(totals, totalColor, 2),
		...(capacity < Infinity
			? [horizontalLine(capacity, { stroke: ink, 'stroke-width': 1.5, 'stroke-dasharray': '5 4' })]
			: []),
		svgText(left, bottom + 18, '0', small),
		svgText(left + plot.width, bottom + 18, `${seconds.toFixed(seconds < 10 ? 1 : 0)} s`, {
			...small,
			'text-anchor': 'end',
		}),
	].join('\n');
}

export const windowChart = (panels: readonly Panel[]): string =>
	svgPicture(
		width,
		top + Math.ceil(panels.length / columns) * panelHeight,
		'How many requests are under way over time',
		'Red: in all. Blue: of each process, where there are several. Dashed: what the service works on at once.',
		panels.map((panel, index) =>
			drawPanel(
				panel,
				(index % columns) * panelWidth,
				top + Math.floor(index / columns) * panelHeight,
			),
		),
	);
