// Sizes, tries, times and budgets as one table, in docs/limits.md.
import { bytes, constantIn, duration, grouped } from './figures.mts';
import { label, table } from './markdown.mts';
import type { Screen } from './screen.mts';

const text = 'engine/http/bodyText.ts';
const errors = 'engine/items/errors.ts';
const tries = 'engine/send/sendWithRetries.ts';
const account = 'engine/auth/account.ts';
const policy = 'engine/send/retryPolicy.ts';
const window = 'engine/send/congestionWindow.ts';
const memory = 'engine/poll/pollState.ts';
const pace = 'engine/once/pace.ts';

/** @returns Markdown; figures are those of the code and of the forms */
export function limitsTable(screen: Screen): string {
	const start = (name: string) => screen.start(name);
	const seconds = (name: string) => `${start(name)} s`;
	const heavy = constantIn('engine/kinds/tasks.ts', 'maxHeavyRequests');
	const backOff = ['initialBackoff', 'maxBackoff'].map((name) =>
		duration(constantIn(policy, name)),
	);
	const rows = [
		[
			'Requests under way at once',
			`${screen.most('Parallel Requests')}; for lists, files and bulk requests ${heavy}`,
			`Set by ${label('Parallel Requests')}; how many are is [found out](reliability.md#how-many-requests-at-once)`,
		],
		[
			'Creates and patches under way until the service has shown that it answers',
			String(constantIn(window, 'maxUntestedWrites')),
			'The others wait for their turn',
		],
		['Tries of a request', start('Max Tries'), `Set by ${label('Max Tries')}; the item fails`],
		[
			'Waiting between the tries of a request, all together',
			seconds('Max Wait (Seconds)'),
			`Set by ${label('Max Wait (Seconds)')}; the item fails`,
		],
		[
			'Waiting before a try, when the service names no time',
			`up to ${backOff.join(', doubled each time, up to ')}`,
			'At random within that, so that not all come back at once',
		],
		[
			'Waiting for an answer',
			seconds('Timeout (Seconds)'),
			`Set by ${label('Timeout (Seconds)')}; the request is given up. For a file it counts from the last byte that was sent.`,
		],
		[
			'Signing in',
			duration(constantIn('engine/auth/grants.ts', 'signInTimeout')),
			'It has failed, as without an answer',
		],
		[
			'Sending a request again because its token was refused',
			`${constantIn(tries, 'maxTokenRenewals')} times`,
			'The item fails',
		],
		[
			'Fresh tokens that are refused in a row',
			String(constantIn(account, 'maxFreshRefused')),
			'The run ends: signing in again would not help',
		],
		[
			'A refused sign-in is not repeated for',
			duration(constantIn(account, 'refusalKept')),
			'So that no account is locked; changed settings are tried at once',
		],
		[
			'Requests in a row that the service left unanswered, or was too busy for',
			String(constantIn(tries, 'maxFailedInRow')),
			'The run sends no more',
		],
		[
			'Rows of a list when not all are wanted',
			start('Limit'),
			`Set by ${label('Limit')}, or ${label('Return All')}`,
		],
		['Rows that are asked for at once', start('Page Size'), `Set by ${label('Page Size')}`],
		[
			'Rows of a list',
			grouped(constantIn('engine/kinds/list/listPages.ts', 'maxRows')),
			'The list fails: read it in parts',
		],
		[
			'Changes that the trigger gives to one execution',
			grouped(Number(start('Max Items'))),
			`Set by ${label('Max Items')}; the others follow with the next polls`,
		],
		[
			'What the trigger remembers of a list',
			`${grouped(constantIn(memory, 'maxStateCharacters'))} characters`,
			`The poll fails: [choose fewer rows](trigger.md#how-much-it-remembers)`,
		],
		[
			'Input items in a bulk request',
			start('Batch Size'),
			`Set by ${label('Batch Size')}; the others go into further requests`,
		],
		[
			'Keys that a node remembers',
			grouped(Number(start('Send Once: Remember'))),
			`Set by ${label('Send Once: Remember')}, up to ${grouped(Number(screen.most('Send Once: Remember')))}; then ${label('Send Once: When Full')} decides`,
		],
		[
			'Items whose keys are noted at once, before they are sent',
			String(constantIn(pace, 'maxSliceSize')),
			'They are in doubt when n8n dies before they are sent',
		],
		['Size of a page of a list', bytes(constantIn(text, 'maxAnswerBytes')), 'The list fails'],
		[
			'Size of an answer with one record',
			bytes(constantIn(text, 'maxRecordBytes')),
			'The item fails',
		],
		[
			'Size of an answer that says no',
			bytes(constantIn(text, 'maxRefusalBytes')),
			'The rest is not read',
		],
		[
			'Size of all answers of a run, small ones aside',
			bytes(constantIn(text, 'maxRunBytes')),
			'What comes after fails',
		],
		[
			'Levels of JSON inside each other',
			grouped(constantIn('engine/http/json.ts', 'maxDepth')),
			'The value, or the answer, is refused',
		],
		['Size of a file', 'none', 'Files are streamed, and never in memory as a whole'],
		['Numbers', `2<sup>53</sup> − 1`, 'Larger ones are refused: n8n loses their digits'],
		['Length of an error message', bytes(constantIn(errors, 'maxMessageBytes')), 'Cut off'],
		[
			'What the service says in an error item',
			bytes(constantIn(errors, 'maxServiceWordsBytes')),
			'Cut off',
		],
		[
			'Items that one message names',
			String(constantIn(errors, 'maxItemsNamed')),
			'The others are counted',
		],
		[
			'What is known of a service account is forgotten after',
			`${duration(constantIn(window, 'learnedKept'))} without requests`,
			'The next run finds out again how many requests it bears',
		],
	];
	return table(['What', 'At most', 'What happens then'], rows);
}
