// HTML as text: values in a template are escaped unless they are HTML themselves.

export class Html {
	readonly text: string;

	constructor(text: string) {
		this.text = text;
	}
}

/** A value for a template; false and undefined leave its place empty. */
export type Piece = Html | string | number | false | undefined | readonly Piece[];

function textOf(piece: Piece): string {
	if (piece instanceof Html) return piece.text;
	if (piece === false || piece === undefined) return '';
	if (typeof piece === 'object') return piece.map(textOf).join('');
	return String(piece).replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** Safe in text, and in quoted attributes that are not URLs. */
export const html = (texts: TemplateStringsArray, ...pieces: Piece[]): Html =>
	new Html(texts.map((text, at) => text + textOf(pieces[at])).join(''));

/** `14:05:09`, in the zone of this machine. */
export const clock = (milliseconds: number): Html => {
	const date = new Date(milliseconds);
	return html`<time datetime="${date.toISOString()}">${date.toTimeString().slice(0, 8)}</time>`;
};

export const grouped = (value: number): string => value.toLocaleString('en-US');
