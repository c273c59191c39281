// Names of people and places in twenty languages, for tests of letters outside ASCII.
import { allLocales } from '@faker-js/faker';

const languages = 'cs_CZ da de es fi fr hr hu is nb_NO nl pl pt_BR pt_PT ro sk sv tr vi el ru uk';

/** All texts in an object. */
const textsIn = (value: unknown): string[] =>
	typeof value === 'string' ? [value] : Object.values(value ?? {}).flatMap(textsIn);

/** Names with letters that are not in ASCII. */
export const names = Object.entries(allLocales)
	.filter(([locale]) => languages.split(' ').includes(locale))
	.flatMap(([, { person, location }]) => textsIn([person, location]))
	.filter((name) => /[^\0-\x7f]/.test(name) && !/[^ \p{L}\p{M}'’.-]/u.test(name));
