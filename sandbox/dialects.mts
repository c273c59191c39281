// The questions that the API spec leaves open, and the options a service may have chosen. Faults strike individual
// requests; dialects always apply, together with all others.
import dialectTable from './dialects.json' with { type: 'json' };

/**
 * By name: the question and the meaning of each option. The first option is the sandbox's default; `public` names the
 * one in the public record, if it differs.
 */
export { dialectTable };

export type DialectName = keyof typeof dialectTable;

/** The option that a sandbox uses for each question. */
export type Dialects = {
	[Name in DialectName]: Extract<keyof (typeof dialectTable)[Name]['ways'], string>;
};

export const dialectNames = Object.keys(dialectTable) as DialectName[];

export const waysOf = (name: DialectName): readonly string[] =>
	Object.keys(dialectTable[name].ways);

const dialectsOf = (wayOf: (name: DialectName) => string | undefined): Dialects =>
	Object.fromEntries(dialectNames.map((name) => [name, wayOf(name)])) as unknown as Dialects;

export const defaultDialects = dialectsOf((name) => waysOf(name)[0]);

/** The dialects of a service with this interface, as far as the public record shows them. */
export const publicDialects = dialectsOf((name) => {
	const { public: way = defaultDialects[name] } = dialectTable[name] as { public?: string };
	return way;
});
