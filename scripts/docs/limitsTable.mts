// Sizes, tries, times and budgets as one table, in docs/limits.md. The figures are the engine's own constants and
// what the forms start with.
import type * as Account from '../../engine/auth/account.ts';
import type * as KnownTokens from '../../engine/auth/knownTokens.ts';
import type * as SignInRequest from '../../engine/auth/signInRequest.ts';
import type * as Json from '../../engine/http/json.ts';
import type * as Text from '../../engine/http/bodyText.ts';
import type * as Errors from '../../engine/items/errors.ts';
import type * as Pages from '../../engine/kinds/list/listPages.ts';
import type * as Tasks from '../../engine/kinds/tasks.ts';
import type * as Pace from '../../engine/once/pace.ts';
import type * as Detection from '../../engine/poll/detection.ts';
import type * as Memory from '../../engine/poll/pollState.ts';
import type * as Queue from '../../engine/send/accountQueue.ts';
import type * as Delays from '../../engine/send/usualDelays.ts';
import type * as Pauses from '../../engine/send/pauses.ts';
import type * as Policy from '../../engine/send/retryPolicy.ts';
import type * as Tries from '../../engine/send/sendWithRetries.ts';
import type * as Window from '../../engine/send/congestionWindow.ts';
import type * as Scalars from '../../engine/values/scalars.ts';
import { formatBytes, formatDuration, formatNumber } from './formatNumbers.mts';
import { label, table } from './markdown.mts';
import { built } from './package.mts';
import type { ScreenTexts } from './screenTexts.mts';

const account = built('engine/auth/account.js') as typeof Account;
const signInRequest = built('engine/auth/signInRequest.js') as typeof SignInRequest;
const knownTokens = built('engine/auth/knownTokens.js') as typeof KnownTokens;
const json = built('engine/http/json.js') as typeof Json;
const text = built('engine/http/bodyText.js') as typeof Text;
const errors = built('engine/items/errors.js') as typeof Errors;
const pages = built('engine/kinds/list/listPages.js') as typeof Pages;
const tasks = built('engine/kinds/tasks.js') as typeof Tasks;
const pace = built('engine/once/pace.js') as typeof Pace;
const detection = built('engine/poll/detection.js') as typeof Detection;
const memory = built('engine/poll/pollState.js') as typeof Memory;
const queue = built('engine/send/accountQueue.js') as typeof Queue;
const delays = built('engine/send/usualDelays.js') as typeof Delays;
const pauses = built('engine/send/pauses.js') as typeof Pauses;
const policy = built('engine/send/retryPolicy.js') as typeof Policy;
const tries = built('engine/send/sendWithRetries.js') as typeof Tries;
const window = built('engine/send/congestionWindow.js') as typeof Window;
const scalars = built('engine/values/scalars.js') as typeof Scalars;

type Limit = [what: string, atMost: string, whatHappensThen: string];

/** @returns Markdown */
export function limitsTable(screen: ScreenTexts): string {
	/** A limit that is a setting of the form. */
	const setting = (
		what: string,
		name: string,
		whatHappensThen: string,
		atMost = formatNumber(Number(screen.defaultOf(name))),
	): Limit => [what, atMost, `Set by ${label(name)}${whatHappensThen}`];
	const seconds = (name: string) => `${screen.defaultOf(name)} s`;
	const [firstWait, longestWait] = [policy.initialBackoff, policy.maxBackoff].map(formatDuration);
	const limits: Limit[] = [
		setting(
			'Requests under way at once',
			'Parallel Requests',
			'; how many are under way is [found out](reliability.md#how-many-requests-at-once)',
			`${screen.maximumOf('Parallel Requests')}; for lists, files and bulk requests ${tasks.maxHeavyRequests}`,
		),
		[
			'Connections of a process of n8n, for all service accounts together',
			String(queue.maxConnections),
			'Accounts take turns; each may have as many as are still free',
		],
		[
			'Creates and patches under way until the service has shown that it answers',
			String(window.maxUntestedWrites),
			'The others wait for their turn',
		],
		setting('Tries of a request', 'Max Tries', '; the item fails'),
		setting(
			'Waiting between the tries of a request, all waits together',
			'Max Wait (Seconds)',
			'; the item fails',
			seconds('Max Wait (Seconds)'),
		),
		[
			'Waiting before a try, when the service names no time',
			`up to ${firstWait}, doubled each time, up to ${longestWait}`,
			'A random time within that, so that not all requests come back at once',
		],
		setting(
			'Waiting for an answer',
			'Timeout (Seconds)',
			'; the request is given up. For a file the time counts from the last byte that was sent.',
			seconds('Timeout (Seconds)'),
		),
		[
			'Signing in',
			formatDuration(signInRequest.signInTimeout),
			'It has failed, as without an answer',
		],
		[
			'Sending a request again because its token was refused',
			`${policy.maxResendsAfter401} times`,
			'The item fails',
		],
		[
			'Fresh tokens that are refused in a row',
			String(knownTokens.maxFreshRefused),
			`No more sign-ins, as they would not help; after ${knownTokens.maxRequestsRefused} requests the run ends`,
		],
		[
			'A refused sign-in is not repeated for',
			formatDuration(account.pauseAfterRefusal),
			'So that no account is locked; changed settings are tried at once',
		],
		[
			'Requests in a row that the service left unanswered, or was too busy for',
			String(tries.maxFailedInRow),
			'The run sends no more requests',
		],
		setting('Rows of a list when not all are wanted', 'Limit', `, or ${label('Return All')}`),
		setting('Rows that are asked for in one request', 'Page Size', ''),
		['Rows of a list', formatNumber(pages.maxRows), 'The list fails: read it in parts'],
		setting(
			'Changes that the trigger gives to one execution',
			'Max Items',
			'; the others follow with the next polls',
		),
		[
			'What the trigger remembers of a list',
			`${formatNumber(memory.maxStateCharacters)} characters`,
			'The poll fails: [choose fewer rows](trigger.md#how-much-it-remembers)',
		],
		setting('Input items in a bulk request', 'Batch Size', '; the others go into further requests'),
		setting(
			'Keys that a node remembers',
			'Send Once: Remember',
			`, up to ${formatNumber(screen.maximumOf('Send Once: Remember'))}; then ${label('Send Once: When Full')} decides`,
		),
		[
			'Items whose keys are noted at once, before they are sent',
			`${pace.fewestItems}, or one for each ${pace.keysPerItem} remembered keys where that is more`,
			'When n8n dies, they are in doubt beside those that are under way',
		],
		['Size of a page of a list', formatBytes(text.maxAnswerBytes), 'The list fails'],
		['Size of an answer with one record', formatBytes(text.maxRecordBytes), 'The item fails'],
		['Size of an answer that refuses', formatBytes(text.maxRefusalBytes), 'The rest is not read'],
		[
			'Size of all answers of a run, small ones aside',
			formatBytes(text.maxRunBytes),
			'What comes after that fails',
		],
		[
			'Levels of JSON inside each other',
			formatNumber(json.maxDepth),
			'The value, or the answer, is refused',
		],
		['Size of a file', 'none', 'Files are streamed, and never in memory as a whole'],
		['Numbers', '2<sup>53</sup> − 1', 'Larger ones are refused: n8n loses their digits'],
		[
			'Length of an _ETag_ or a _Multipart Part Name_',
			`${formatNumber(scalars.maxCharacters.header!)} characters`,
			'The value is refused, before anything is sent',
		],
		[
			'Length of a text that is read as a number; a date or a UUID; an email address',
			`${scalars.maxCharacters.number!}; ${scalars.maxCharacters.dateTime!}; ${scalars.maxCharacters.email!} characters`,
			'The value is refused, before anything is sent',
		],
		[
			'Rows that the trigger says were removed at once',
			`${formatNumber(detection.fewRemovals.rows)}, or ${100 * detection.fewRemovals.share} % of the list`,
			`More are removed when [a second poll misses them too](trigger.md#when-many-rows-are-missing); set by ${label('When Many Are Removed')}`,
		],
		['Length of an error message', formatBytes(errors.maxMessageBytes), 'It is cut off'],
		[
			'Length of what the service says in an error item',
			formatBytes(errors.maxServiceWordsBytes),
			'It is cut off',
		],
		[
			'Problems of invalid items that one message names',
			String(errors.maxProblemsNamed),
			'Equal ones are told once; the others are counted',
		],
		[
			'A request without an answer holds up no other one after',
			`${formatDuration(delays.minOverdueTime)}, or ${delays.overdueRatio} times what is usual for its operation`,
			'It goes on until its timeout, and others may begin beside it',
		],
		[
			'Waiting of the other operations, when the service asks one operation to wait',
			formatDuration(pauses.maxPauseOfOthers),
			'They go on, unless a second operation is asked to wait too, or all are',
		],
		[
			'Service accounts that a process of n8n knows',
			formatNumber(account.maxAccounts),
			'The one whose last request is longest ago is forgotten',
		],
		[
			'What is known of a service account is forgotten after',
			`${formatDuration(queue.forgetStateAfter)} without requests`,
			'The next run finds out again how many requests the service can handle at once',
		],
	];
	return table(['What', 'At most', 'What happens then'], limits);
}
