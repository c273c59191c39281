// What the API spec leaves open, and the ways in which a service may have decided it. A fault strikes by chance; a
// dialect always holds, together with all others.
import dialectTable from './dialects.json' with { type: 'json' };

/**
 * By name: the question, and what each way means. The first way is the sandbox's own; `public` names that of a service
 * with this interface, where the public record shows another.
 */
export { dialectTable };

export type DialectName = keyof typeof dialectTable;

/** The way in which a sandbox decides each question. */
export type Dialects = {
	[Name in DialectName]: Extract<keyof (typeof dialectTable)[Name]['ways'], string>;
};

export const dialectNames = Object.keys(dialectTable) as DialectName[];

export const waysOf = (name: DialectName): readonly string[] =>
	Object.keys(dialectTable[name].ways);

const dialectsOf = (wayOf: (name: DialectName) => string | undefined): Dialects =>
	Object.fromEntries(dialectNames.map((name) => [name, wayOf(name)])) as unknown as Dialects;

export const defaultDialects = dialectsOf((name) => waysOf(name)[0]);

/** Those of a service with this interface, as far as the public record shows them. */
export const publicDialects = dialectsOf((name) => {
	const { public: way = defaultDialects[name] } = dialectTable[name] as { public?: string };
	return way;
});
