// Labels stand in italics: each must be one that a form, the sandbox's page, or n8n itself, shows.
import type { ScreenTexts } from '../screenTexts.mts';
import { proseOf, type Page } from './page.mts';

/** Labels on n8n's own screens, as far as the pages speak of them. */
const labelsOfN8n = [
	'Authentication',
	'Community nodes',
	'Continue',
	'Continue (using error output)',
	'Execute step',
	'Execute workflow',
	'HTTP Request',
	'I understand the risks of installing unverified code from a public source.',
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

export const labelProblems = (pages: readonly Page[], { all }: ScreenTexts): string[] =>
	pages.flatMap((page) =>
		labelsOn(page)
			.filter((label) => !all.has(label) && !labelsOfN8n.includes(label))
			.map((label) => `${page.path}: no form shows "${label}"`),
	);
