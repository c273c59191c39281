// The trace of one row at the beginning of the design notes has the values of a real run.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { INodeParameters } from 'n8n-workflow';

import * as judging from '../../engine/response/judge';
import * as requests from '../../engine/request/request';
import { ServiceTry } from '../../engine/send/serviceTry';
import * as items from '../../engine/values/item';
import { AgencyShiftSchedules } from '../../nodes/AgencyShiftSchedules/AgencyShiftSchedules.node';
import { useSandbox } from '../harness/useSandbox.cts';

const sandbox = useSandbox();

/** The blocks of JSON in the trace, in their order. */
function blocksOfTrace(): unknown[] {
	const notes = readFileSync(join(__dirname, '..', '..', 'docs', 'design.md'), 'utf8');
	const [, trace = ''] = notes.split('## One row, from the form to its output\n');
	const blocks = trace.split('\n## ')[0]!.matchAll(/^```json\n(.*?)^```/gms);
	return [...blocks].map(([, text]) => JSON.parse(text!) as unknown);
}

/** The parts of a run's value that the trace shows. */
const shownIn = (shown: unknown, value: unknown): unknown =>
	typeof shown === 'object' && shown !== null && !Array.isArray(shown)
		? Object.fromEntries(
				Object.entries(shown).map(([name, inside]) => [
					name,
					shownIn(inside, (value as Record<string, unknown> | undefined)?.[name]),
				]),
			)
		: value;

afterEach(() => jest.restoreAllMocks());

test('each value of the trace is the one in a real run of that row', async () => {
	const [row, parameters, ...steps] = blocksOfTrace();
	const read = jest.spyOn(items, 'readItem');
	const built = jest.spyOn(requests, 'buildRequest');
	const made = jest.spyOn(ServiceTry.prototype, 'make');
	const judged = jest.spyOn(judging, 'judge');
	const { items: output } = await sandbox.run({
		node: new AgencyShiftSchedules(),
		parameters: parameters as INodeParameters,
		items: [{ json: row as Record<string, string> }],
		settings: { timezone: 'America/New_York' },
	});
	const { values, inputHints } = read.mock.results[0]!.value as ReturnType<typeof items.readItem>;
	const verdict = judged.mock.results.at(-1)!.value as ReturnType<typeof judging.judge>;
	const run = [
		{ values, inputHints },
		built.mock.results[0]!.value,
		await made.mock.results.at(-1)!.value,
		verdict,
		output[0],
	];
	expect(steps).toHaveLength(run.length);
	expect(run.map((value, at) => shownIn(steps[at], value))).toEqual(steps);
});
