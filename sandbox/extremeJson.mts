// JSON texts that are hard to take: long, deep, or not quite text. Texts, for JSON.stringify() cannot write all.

/** Arrays within arrays. */
const deepJson = (levels = 30_000): string => '['.repeat(levels) + ']'.repeat(levels);

/**
 * An answer with one member more.
 * @param answer JSON, or '' for none
 */
export function withDeepMember(answer: string, levels?: number): string {
	const body = answer || '{}';
	const isEmpty = body.length === 2;
	const name = body.startsWith('{') ? '"deep":' : '';
	return `${body.slice(0, -1)}${isEmpty ? '' : ','}${name}${deepJson(levels)}${body.at(-1)}`;
}

/** The `errors` of a refusal. */
export const extremeErrors = {
	/** @param bytes of the whole answer, at most */
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
	/** Half of a pair of surrogates (RFC 8259 §8.2). */
	lone: () => '"Cut off in the middle of a sign: \\ud83d"',
} satisfies Record<string, (size?: number) => string>;

export type ExtremeErrors = keyof typeof extremeErrors;
