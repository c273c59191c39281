// JSON that is hard to process: very long, or very deep. It is put together as text, because JSON.stringify() cannot
// write all of it.

/** So many arrays, each inside the other. */
const deepJson = (levels = 30_000): string => '['.repeat(levels) + ']'.repeat(levels);

/**
 * Adds a member with deep JSON to a response.
 * @param answer the response's body: JSON, or '' for none
 */
export function withDeepMember(answer: string, levels?: number): string {
	const body = answer || '{}';
	const isEmpty = body.length === 2;
	const name = body.startsWith('{') ? '"deep":' : '';
	return `${body.slice(0, -1)}${isEmpty ? '' : ','}${name}${deepJson(levels)}${body.at(-1)}`;
}

/** What may stand in `errors` of an error response. */
export const extremeErrors = {
	/** @param bytes the length of the whole body, at most */
	long(bytes = 64_000): string {
		const entry = (n: number) =>
			JSON.stringify({ field: `fields[${n}]`, message: `is not what was expected here (${n})` });
		const entries: string[] = [];
		let left = bytes - '{"errors":{"validationErrors":[]}}'.length;
		for (let next = entry(0); next.length < left; next = entry(entries.length)) {
			entries.push(next);
			left -= next.length + 1;
		}
		return `{"validationErrors":[${entries.join(',')}]}`;
	},
	deep: deepJson,
} satisfies Record<string, (size?: number) => string>;

export type ExtremeErrors = keyof typeof extremeErrors;
