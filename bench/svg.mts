// Drawing: the few parts that charts are made of (SVG). They bring their background along, since a page that
// shows them may be light or dark.

export const ink = '#1f2933';
export const faint = '#5b6b7b';
const paper = '#ffffff';

/** Attributes by name, with dashes where SVG has them. */
type Attributes = Record<string, string | number>;

const written = (attributes: Attributes): string =>
	Object.entries(attributes)
		.map(([name, value]) => {
			const text = typeof value === 'number' ? String(Math.round(value * 10) / 10) : value;
			return `${name}="${text}"`;
		})
		.join(' ');

export const shape = (name: string, attributes: Attributes): string =>
	`<${name} ${written(attributes)}/>`;

/** Legible also where it lies on a line. */
export const text = (x: number, y: number, content: string, attributes: Attributes = {}): string =>
	`<text ${written({ x, y, ...attributes })} stroke="${paper}" stroke-width="4" paint-order="stroke">${content}</text>`;

/**
 * @param title what the picture says, also for those who cannot see it
 * @param subtitle how it came about
 */
export const picture = (
	width: number,
	height: number,
	title: string,
	subtitle: string,
	parts: readonly string[],
): string =>
	`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" font-family="system-ui, sans-serif" font-size="14" fill="${ink}" role="img" aria-label="${title}">
${shape('rect', { width, height, rx: 8, fill: paper })}
${text(20, 34, title, { 'font-size': 18, 'font-weight': 700 })}
${text(20, 57, subtitle, { fill: faint })}
${parts.join('\n')}
</svg>
`;
