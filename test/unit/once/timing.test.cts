// The real numbers of Send Once: how they depend on each other, and how the docs state them. Other tests shorten them.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { maxCallTime } from '../../../engine/n8nDatabase';
import { claimBatchSize, timing } from '../../../engine/once/timing';

const { pollInterval, longestSilence, heartbeatInterval, leaseTime, deadAfter } = timing;

/** Maximum duration of a successful read or write of a database (milliseconds). */
const slowQuery = 25_000;

test.each<[string, number, number]>([
	['a run whose heartbeat is late once has its keys still', 2 * heartbeatInterval, leaseTime],
	// The run may check its lease and send the item a moment later.
	['a run stops sending before another takes its keys over', leaseTime + 4000, deadAfter],
	['a run that waits sees each heartbeat', 2 * pollInterval, heartbeatInterval],
	['polls on time count as silence in full', pollInterval, longestSilence],
	['a process that stood still has not heard a silence', 5 * longestSilence, deadAfter],
	['calls end before a lock is broken', maxCallTime + 2 * slowQuery, timing.holderIsDeadAfter],
])('%s: %d ms < %d ms', (_, less, more) => {
	expect(less).toBeLessThan(more);
});

const docs = (name: string) =>
	readFileSync(join(__dirname, '..', '..', '..', 'docs', name), 'utf8').replace(/\s+/g, ' ');

const secondsIn = (text: string) => Number(text) * 1000;

/** Mean interval between two polls of a lock (milliseconds). */
const lockPoll = 7;
const broken = timing.holderIsDeadAfter + timing.pollsBeforeBreaking * lockPoll;

test.each<[string, RegExp, number[]]>([
	[
		'across-runs.md',
		/After (\d+) seconds without a sign of the other, the row is in doubt/,
		[deadAfter],
	],
	['across-runs.md', /freezes\*\* for more than (\d+) seconds right between/, [deadAfter]],
	['across-runs.md', /had looked at in the (\d+) seconds before/, [leaseTime]],
	['across-runs.md', /others wait (\d+) to (\d+) seconds/, [timing.holderIsDeadAfter, broken]],
])('%s says: %s', (name, sentence, expected) => {
	const said = sentence.exec(docs(name));
	expect(said).not.toBeNull();
	const numbers = said!.slice(1).map(secondsIn);
	for (const [index, milliseconds] of expected.entries())
		expect(Math.abs(numbers[index]! - milliseconds)).toBeLessThan(2000);
});

test('across-runs.md states how many items a crash can leave in doubt in addition to those in progress', () => {
	const sentence =
		/up to (\d+) rows right before or after them \(above ([\d,]+) remembered keys, a hundredth/;
	const said = sentence.exec(docs('across-runs.md'))!.slice(1);
	const [most, few] = said.map((text) => Number(text.replace(',', '')));
	expect([0, few!].map((keys) => claimBatchSize(keys, 256))).toEqual([most, most]);
	expect(claimBatchSize(2 * few!, 256)).toBe((2 * few!) / 100);
});
