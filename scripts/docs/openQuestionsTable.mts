// What the service does not state: each open question as a setting with its default, in docs/settings.md.
import type { DialectName } from '../../sandbox/dialects.mts';
import { code, label, table } from './markdown.mts';
import type { ScreenTexts } from './screenTexts.mts';

interface Question {
	question: string;
	/** Labels of the settings that answer it. */
	settings: readonly string[];
	/** With which the sandbox answers it otherwise. */
	dialects?: readonly DialectName[];
	notes?: string;
}

const questions: readonly Question[] = [
	{
		question: 'How the access token is written in the `Authorization` header',
		settings: ['Authorization Header'],
		dialects: ['authorizationHeader'],
		notes: 'In the credential. Change it when a token is refused that was just obtained.',
	},
	{
		question: 'The name of the multipart part that carries a file',
		settings: ['Multipart Part Name'],
	},
	{
		question: "Which values a bulk patch's `op` may have, and what they do",
		settings: ['Patch Operation'],
		notes: 'Any text may be entered.',
	},
	{
		question: 'How many entries a bulk request may have',
		settings: ['Batch Size'],
		notes: 'Lower it if the service refuses large requests.',
	},
	{
		question: 'How many rows a page of a list may have',
		settings: ['Usual Page Size', 'Page Size'],
		dialects: ['largestPage', 'largerPages', 'totalRows'],
		notes:
			'In the credential, and in each node. When the service sends fewer rows than asked for, the next request continues after them.',
	},
	{
		question: 'From where `offset` counts',
		settings: ['Offset Counts From'],
		dialects: ['offset'],
		notes: 'In the credential.',
	},
	{
		question: 'How a filter is written, beyond its operators',
		settings: ['Filter Syntax', 'Numbers in Filters', 'Filter Text'],
		dialects: ['filter', 'filterNumbers'],
		notes: 'In the credential, for [conditions](lists.md#filters); a filter text is sent as it is.',
	},
	{
		question: 'Which date formats the service reads',
		settings: ['Changes Since Format', 'Changes Since'],
		dialects: ['changesSince'],
		notes:
			'In the credential, for date objects of an expression and for text in ISO 8601 with an offset; any other text is sent as it is.',
	},
	{
		question: 'Whether the service reliably says what changed',
		settings: ['Detect By'],
		notes:
			'A setting of [the trigger](trigger.md). A full comparison does not rely on the service for that.',
	},
	{
		question: "How far the service's clock may be behind",
		settings: ['Overlap (Minutes)'],
		notes: 'A setting of the trigger.',
	},
	{
		question: 'How archived rows are asked for',
		settings: ['Archived Values', 'Show Archived'],
		dialects: ['showArchived'],
		notes: 'In the credential, for `true` and `false`; any other text is sent as it is.',
	},
	{
		question: 'What an ETag is compared with, and when the answer is 304',
		settings: ['ETag', 'If Not Modified'],
		dialects: ['etag'],
		notes: 'When the option is not added, no ETag is sent.',
	},
	{
		question: 'How many requests the service can handle at once',
		settings: ['Parallel Requests'],
		notes:
			'This is the largest number; how many are under way is [found out](reliability.md#how-many-requests-at-once).',
	},
	{
		question: 'How long to wait for a service that is too busy or cannot be reached',
		settings: ['Max Tries', 'Max Wait (Seconds)', 'Timeout (Seconds)'],
		dialects: ['rate', 'quota'],
	},
];

/** @returns Markdown; the defaults are those of the forms */
export function openQuestionsTable(screen: ScreenTexts): string {
	const defaultOf = (name: string): string => {
		const text = screen.defaultOf(name);
		return text === '' ? 'nothing' : code(text);
	};
	const rows = questions.map(({ question, settings, dialects = [], notes = '' }) => [
		question,
		settings.map(label).join(', '),
		settings.map(defaultOf).join(', '),
		dialects.map(code).join(', '),
		notes,
	]);
	return table(
		['What is not stated', 'Setting', 'Default', 'Dialects of the sandbox', 'Notes'],
		rows,
	);
}
