// The questions that the check asks, for docs/first-day.md.
import type * as Questions from '../../engine/check/questions.ts';
import { built } from './package.mts';

const { questions } = built('engine/check/questions.js') as typeof Questions;

/** @returns Markdown */
export const questionsList = (): string =>
	questions.map(({ question }) => `- ${question}`).join('\n');
