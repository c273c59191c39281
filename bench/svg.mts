// Writes the few SVG elements that the charts are made of. A chart brings its own background, since the page that shows
// it may be light or dark.

export const ink = '#1f2933';
export const faintInk = '#5b6b7b';
const paper = '#ffffff';

/** Attributes by their SVG names. */
export type SvgAttributes = Record<string, string | number>;

const attributesText = (attributes: SvgAttributes): string =>
	Object.entries(attributes)
		.map(([name, value]) => {
			const text = typeof value === 'number' ? String(Math.round(value * 10) / 10) : value;
			return `${name}="${text}"`;
		})
		.join(' ');

export const svgElement = (name: string, attributes: SvgAttributes): string =>
	`<${name} ${attributesText(attributes)}/>`;

/** The outline in the color of the background keeps the text legible where it crosses a line. */
export const svgText = (
	x: number,
	y: number,
	content: string,
	attributes: SvgAttributes = {},
): string =>
	`<text ${attributesText({ x, y, ...attributes })} stroke="${paper}" stroke-width="4" paint-order="stroke">${content}</text>`;

/**
 * @param title what the chart shows, also read to those who cannot see it
 * @param subtitle how to read the chart
 */
export const svgPicture = (
	width: number,
	height: number,
	title: string,
	subtitle: string,
	parts: readonly string[],
): string =>
	`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" font-family="system-ui, sans-serif" font-size="14" fill="${ink}" role="img" aria-label="${title}">
${svgElement('rect', { width, height, rx: 8, fill: paper })}
${svgText(20, 34, title, { 'font-size': 18, 'font-weight': 700 })}
${svgText(20, 57, subtitle, { fill: faintInk })}
${parts.join('\n')}
</svg>
`;
