// Sizes, tries, times and budgets as one table. The figures are the engine's own constants and what the forms start
// with.
import { formatBytes, formatDuration, formatNumber, label, table } from './markdown.mts';
import { built } from './package.mts';
import type { ScreenTexts } from './screenTexts.mts';

type Values = Readonly<Record<string, unknown>>;

/**
 * A number of the engine.
 * @param module such as `send/retryPolicy`
 * @throws Error when the module exports no number of that name
 */
function figure(module: string, name: string): number {
	const value = (built(`engine/${module}.js`) as Values)[name];
	if (typeof value === 'number') return value;
	throw new Error(`docs: engine/${module}.ts has no number '${name}'`);
}

export function limitsTable(screen: ScreenTexts): string {
	const count = (module: string, name: string) => formatNumber(figure(module, name));
	const bytes = (module: string, name: string) => formatBytes(figure(module, name));
	const time = (module: string, name: string) => formatDuration(figure(module, name));
	/** What the form starts with. */
	const start = (name: string) => formatNumber(screen.numberOf(name));
	const seconds = (name: string) => `${start(name)} s`;
	const setBy = (name: string, then = '') => `Set by ${label(name)}${then}`;

	return table(
		['What', 'At most', 'What happens then'],
		[
			[
				'Requests under way at once',
				`${screen.maximumOf('Parallel Requests')}; for lists, files and bulk requests ${count('kinds/job', 'maxHeavyRequests')}`,
				setBy('Parallel Requests'),
			],
			['Tries of a request', start('Max Tries'), setBy('Max Tries', '; the item fails')],
			[
				'A run that is held up, without one success in between',
				seconds('Max Wait (Seconds)'),
				setBy('Max Wait (Seconds)', '; the run sends no more requests'),
			],
			[
				'Waiting before a try, when the service names no time',
				`up to ${time('send/retryPolicy', 'initialBackoff')}, doubled each time, up to ${time('send/retryPolicy', 'maxBackoff')}`,
				'All requests of the operation wait; up to half of it is left out at random',
			],
			[
				'Waiting for an answer',
				seconds('Timeout (Seconds)'),
				setBy('Timeout (Seconds)', '; for a file it counts from the last byte that was sent'),
			],
			['Signing in', time('auth/signInRequest', 'signInTimeout'), 'It has failed'],
			[
				'A refused sign-in is not repeated for',
				time('auth/account', 'pauseAfterRefusal'),
				'So that no account is locked; changed settings are tried at once',
			],
			[
				'Requests in a row that got no answer, or that of a busy or failing service',
				count('send/serviceAccess', 'maxFailedInRow'),
				'The run sends no more requests',
			],
			[
				'Rows of a list when not all are wanted',
				start('Limit'),
				setBy('Limit', `, or ${label('Return All')}`),
			],
			[
				'Rows that are asked for in one request',
				start('Page Size'),
				setBy('Page Size', ' in the credential'),
			],
			['Rows of a list', count('kinds/list/listPages', 'maxRows'), 'The list fails: read parts'],
			[
				'Changes that the trigger gives to one execution',
				start('Max Items'),
				setBy('Max Items', '; the others follow with the next polls'),
			],
			[
				'What the trigger remembers of a list',
				`${count('poll/pollState', 'maxStateCharacters')} characters`,
				'The poll fails: choose fewer rows',
			],
			[
				'Input items in a bulk request',
				start('Batch Size'),
				setBy('Batch Size', '; the others go into further requests'),
			],
			[
				'Keys that a node remembers',
				`${start('Send Once: Remember')}, or up to ${formatNumber(screen.maximumOf('Send Once: Remember'))}`,
				setBy('Send Once: Remember', `; then ${label('Send Once: When Full')} decides`),
			],
			['Size of any answer', bytes('http/bodyText', 'maxAnswerBytes'), 'The list or item fails'],
			[
				'Size of an answer with one record',
				`${bytes('http/bodyText', 'maxRecordBytes')}, after an upload 1.4 × the file more`,
				'The item fails',
			],
			[
				'Size of all answers of a run, small ones aside',
				bytes('http/bodyText', 'maxRunBytes'),
				'What comes after that fails',
			],
			['Levels of JSON inside each other', count('http/json', 'maxDepth'), 'It is refused'],
			['Size of a file', 'none', 'Files are streamed, and never in memory as a whole'],
			['Numbers', '2<sup>53</sup> − 1', 'Larger ones are refused: n8n loses their digits'],
			['Length of an error message', bytes('items/errors', 'maxMessageBytes'), 'It is cut off'],
			[
				'Length of what the service says in an error item',
				bytes('items/errors', 'maxServiceWordsBytes'),
				'It is cut off',
			],
		],
	);
}
