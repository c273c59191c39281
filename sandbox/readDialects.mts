// Reads dialects that come from outside: from a flag, or from the page.
import { dialectNames, waysOf, type Dialects } from './dialects.mts';
import { requireValid } from './validation.mts';

const schema = {
	type: 'object',
	additionalProperties: false,
	properties: Object.fromEntries(dialectNames.map((name) => [name, { enum: waysOf(name) }])),
};

/**
 * Reads options that come from outside.
 * @param given options by the names of dialects
 * @throws TypeError for an unknown name or option; its message is meant for people
 */
export function readDialects(given: unknown): Partial<Dialects> {
	requireValid(schema, given);
	return given as Partial<Dialects>;
}

/**
 * A dialect as a flag gives it: `<name>=<option>`
 * @throws TypeError as readDialects()
 */
export function readDialectFlag(flag: string): Partial<Dialects> {
	const [name = '', option = ''] = flag.split('=');
	return readDialects({ [name]: option });
}
