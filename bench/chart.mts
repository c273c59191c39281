// Measurements → a chart of items per second (SVG).
import { median, type Measured } from './report.mts';

const colours: Record<string, string> = {
	ours: '#c8102e',
	'ours, 128 at once': '#e8899a',
	'HTTP Request': '#5b6b7b',
	'routing node': '#8a99a8',
	'bare loop': '#b9c4ce',
	'keep-alive client': '#dfe5ea',
};
const width = 760;
const left = 200;
const bar = 20;
const gap = 4;
const rightMargin = 70;

const text = (x: number, y: number, content: string, attributes = '') =>
	`<text x="${x}" y="${y}" ${attributes}>${content}</text>`;

export function chart(all: readonly Measured[]): string {
	const groups = all.filter(({ kind, items }) => kind === 'create' && items === 2000);
	const rates = groups.map(({ items, latency, byWay }) => ({
		latency,
		ways: Object.entries(byWay).map(([way, rounds]) => ({
			way,
			rate: (items * 1000) / median(rounds.map(({ milliseconds }) => milliseconds)),
		})),
	}));
	const most = Math.max(...rates.flatMap(({ ways }) => ways.map(({ rate }) => rate)));
	const scale = (width - left - rightMargin) / most;
	const parts: string[] = [
		text(16, 28, '2,000 creates: items per second', 'font-size="17" font-weight="600"'),
	];
	let y = 48;
	for (const { latency, ways } of rates) {
		y += 14;
		parts.push(text(16, y + 4, `Service answers after ${latency} ms`, 'font-weight="600"'));
		y += 14;
		for (const { way, rate } of ways) {
			const isOurs = way.startsWith('ours');
			const length = Math.max(2, rate * scale);
			parts.push(
				text(
					left - 8,
					y + 14,
					way.replace('ours', 'this package'),
					`text-anchor="end"${isOurs ? ' font-weight="600"' : ''}`,
				),
				`<rect x="${left}" y="${y}" width="${length.toFixed(1)}" height="${bar}" fill="${colours[way]}"/>`,
				text(
					left + length + 6,
					y + 14,
					Math.round(rate).toLocaleString('en'),
					isOurs ? 'font-weight="600"' : '',
				),
			);
			y += bar + gap;
		}
	}
	const height = y + 16;
	return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" font-family="system-ui, sans-serif" font-size="13" fill="#1f2933" role="img" aria-label="2,000 creates: items per second">
<rect width="${width}" height="${height}" fill="#ffffff"/>
${parts.join('\n')}
</svg>
`;
}
