// What can be wrong with the pages, beside what they were made of.
import type { ScreenTexts } from '../screenTexts.mts';
import { commandProblems } from './commands.mts';
import { labelProblems } from './labels.mts';
import { linkProblems } from './links.mts';
import { messageProblems } from './messages.mts';
import type { Page } from './page.mts';
import { pictureProblems } from './pictures.mts';

/**
 * @param pages all there are
 * @returns a line for each problem
 */
export const problemsOf = (pages: readonly Page[], screen: ScreenTexts): string[] => [
	...linkProblems(pages),
	...pictureProblems(pages),
	...labelProblems(pages, screen),
	...commandProblems(pages),
	...messageProblems(pages),
];
