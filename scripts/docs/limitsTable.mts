// The table of limits. Its figures are constants of the engine, and defaults of the forms.
import type * as Changes from '../../engine/poll/changes.ts';
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
	const { limits: keys } = built('engine/once/timing.js') as { limits: Record<string, number> };
	const { executionLimits } = built('engine/poll/changes.js') as typeof Changes;
	/** The default on the form. */
	const start = (name: string) => formatNumber(screen.numberOf(name));
	const seconds = (name: string) =>
		`${start(name)} s, at most ${formatNumber(screen.maximumOf(name))} s`;
	const setBy = (name: string, then = '') => `Set by ${label(name)}${then}`;

	return table(
		['What', 'Limit', 'At the limit'],
		[
			[
				'Requests in progress at once',
				`${screen.maximumOf('Parallel Requests')}; for lists, files and bulk requests ${count('kinds/job', 'maxHeavyRequests')}`,
				setBy('Parallel Requests'),
			],
			[
				'Wait without a success',
				seconds('Max Wait (Seconds)'),
				setBy('Max Wait (Seconds)', '; the run ends'),
			],
			[
				'Wait before a retry, if the service names no time',
				`${time('send/retryPolicy', 'initialBackoff')}, doubled each time, up to ${time('send/retryPolicy', 'maxBackoff')}`,
				'Up to half as much is added, at random',
			],
			[
				'Wait requested by the service',
				time('send/circuitBreaker', 'maxPause'),
				'The service is asked again',
			],
			[
				'Wait for a response',
				seconds('Timeout (Seconds)'),
				setBy('Timeout (Seconds)', '; for a file it counts from the last byte sent'),
			],
			['Signing in', time('auth/signIn', 'signInTimeout'), 'It fails'],
			[
				'Pause after a refused sign-in',
				time('auth/account', 'pauseAfterRefusal'),
				'Changed settings are tried at once',
			],
			[
				'Consecutive failures such as 500',
				count('send/circuitBreaker', 'maxFailuresInRow'),
				'Requests go one at a time, with growing waits',
			],
			['Rows of a list', count('kinds/list/listPages', 'maxRows'), 'The list fails: read parts'],
			[
				'Changes per execution of the trigger',
				formatNumber(executionLimits.items),
				'The rest follow with the next polls',
			],
			[
				'Length of these changes',
				`${formatNumber(executionLimits.characters)} characters, or one change`,
				'The rest follow with the next polls',
			],
			[
				'What the trigger remembers of a list',
				`${count('poll/pollState', 'maxSnapshotCharacters')} characters`,
				'The poll fails: choose fewer rows',
			],
			[
				'Keys that a node remembers',
				`${formatNumber(keys.all!)}, or ${label('The Last 10,000')}`,
				setBy('Send Once: Remember', '; rows with new keys fail, or the oldest are forgotten'),
			],
			['Size of a response', bytes('http/bodyText', 'maxResponseBytes'), 'The list or item fails'],
			[
				'Total response size of a run, small ones aside',
				bytes('http/bodyText', 'maxRunBytes'),
				'Everything after that fails',
			],
			['Nesting levels of JSON text', count('http/json', 'maxDepth'), 'It is refused'],
			[
				'Size of a file',
				'none; servers in between may have one',
				'Streamed, unless n8n keeps the file inside the item',
			],
			['Length of an error message', bytes('items/errors', 'maxMessageBytes'), 'It is cut off'],
		],
	);
}
