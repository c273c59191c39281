// Words on the screen stand in italics: each must be one that a form, the sandbox's page, or n8n itself, shows.
import type { Screen } from '../screen.mts';
import { proseOf, type Page } from './page.mts';

/** Of n8n's own screens, as far as the pages speak of them. */
const ofN8n = [
	'Authentication',
	'Community nodes',
	'Continue',
	'Continue (using error output)',
	'Execute step',
	'Execute workflow',
	'HTTP Request',
	'Import from File',
	'Install',
	'On Error',
	'Loop Over Items',
	'Poll Times',
	'Predefined Credential Type',
	'Retry',
	'Retry On Fail',
	'Settings',
	'Stop Workflow',
	'Timezone',
	'Workflow Settings',
];

const italics = /(?<![\p{L}\p{N}_\\])_(?!_)([^_\n]+?)_(?![\p{L}\p{N}_])/gu;

/** Labels begin with a capital letter; one inside another is written as _Equipment › Status_. */
const labelsOn = (page: Page): string[] =>
	[...proseOf(page).matchAll(italics)]
		.flatMap(([, text = '']) => text.split(' › '))
		.filter((word) => /^\p{Lu}/u.test(word));

export const labelProblems = (pages: readonly Page[], { words }: Screen): string[] =>
	pages.flatMap((page) =>
		labelsOn(page)
			.filter((label) => !words.has(label) && !ofN8n.includes(label))
			.map((label) => `${page.path}: no form shows "${label}"`),
	);
