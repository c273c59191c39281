// A picture of each example's canvas after a run, for the page of the examples.
import { setTimeout as delay } from 'node:timers/promises';

import type { Locator } from 'playwright-core';

import { startChatModel, type ChatTurn } from '../../n8n-full/chatModel.mts';
import { openTemporaryPostgres } from '../../n8n-full/databases.mts';
import type { Editor } from '../../n8n-full/editor.mts';
import type { N8nSession } from '../../n8n-full/fullN8n.mts';
import { exampleNames, readExample } from '../../n8n-full/n8nWithSandbox.mts';
import { importWorkflow } from '../../n8n-full/workflows.mts';
import { frameOf, take, type Frame } from './camera.mts';

/** The start node of examples for which n8n proposes another one. */
const triggers: Record<string, string> = {
	'nightly-rows-with-keys': 'Try It',
	'nightly-rows-in-postgresql': 'Try It',
};

/** Examples whose run fails, because a row does. */
const failing = [
	'failed-rows-to-a-table',
	'nightly-rows-with-keys',
	'rows-in-doubt-settle-themselves',
];

/** Margin in pixels: names are below nodes and wider, and ends have a plus. */
const margin = { left: 48, right: 112, top: 16, bottom: 80 };

/** The model's turns for the agent of an example, so that it uses all of its tools. */
const turns: ChatTurn[] = [
	{ tool: 'Look_Up_Vendors', values: { category: 'Turnout Gear' } },
	{ tool: 'Read_a_Shift', values: { shiftID: 101 } },
	{
		tool: 'Plan_a_Shift',
		values: {
			name: 'A shift',
			fromDate: '2026-03-02T07:00:00',
			toDate: '2026-03-03T07:00:00',
			stationNumber: '4',
		},
	},
	'It is planned.',
];

/** The area of the page that contains all of these. */
async function frameAround(parts: Locator): Promise<Frame> {
	const frames = await Promise.all((await parts.all()).map(frameOf));
	const x = Math.min(...frames.map((frame) => frame.x)) - margin.left;
	const y = Math.min(...frames.map((frame) => frame.y)) - margin.top;
	const right = Math.max(...frames.map((frame) => frame.x + frame.width)) + margin.right;
	const bottom = Math.max(...frames.map((frame) => frame.y + frame.height)) + margin.bottom;
	return { x, y, width: right - x, height: bottom - y };
}

/** Waits until the item counts stop changing: n8n reports success before it shows the last ones. */
async function drawn({ page }: Editor): Promise<void> {
	const numbers = page.getByText(/^\d+ items?( total)?$/);
	await numbers.first().waitFor();
	for (let before = -1; before !== (await numbers.count()); ) {
		before = await numbers.count();
		await delay(500);
	}
}

/**
 * Runs an example in the editor, and takes a picture of its canvas.
 * @param before called before the run, with the workflow's ID
 */
export async function takeExample(
	editor: Editor,
	session: N8nSession,
	name: string,
	camera = take,
	before?: (workflow: string) => Promise<unknown>,
): Promise<void> {
	const workflow = await importWorkflow(session, readExample(name));
	await before?.(workflow);
	await editor.open(workflow);
	const status = await session.endOf(await editor.executeWorkflow(triggers[name]));
	if ((status === 'error') !== failing.includes(name)) throw new Error(`${name}: ${status}`);
	await editor.executed.waitFor();
	await drawn(editor);
	const frame = await frameAround(editor.page.locator('.vue-flow__node'));
	await camera(editor.page, `examples/${name}`, frame);
}

/** Examples whose pictures show a night with failures. */
const ofNights = ['failed-rows-to-a-table', 'rows-in-doubt-settle-themselves'];

/** All others. */
export async function takeExamples(editor: Editor, session: N8nSession): Promise<void> {
	const model = await startChatModel();
	model.turns.push(...turns);
	const data = { apiKey: 'none', url: model.url };
	await session.post('/credentials', { name: 'OpenAI', type: 'openAiApi', data });
	const postgres = await openTemporaryPostgres(15_722);
	const { account } = postgres;
	await session.post('/credentials', { name: 'Postgres', type: 'postgres', data: account });
	// Large enough for the largest canvas without scaling.
	await editor.page.setViewportSize({ width: 2800, height: 2000 });
	try {
		for (const name of exampleNames.filter((each) => !ofNights.includes(each))) {
			await takeExample(editor, session, name);
		}
	} finally {
		await model.close();
		await postgres.stop();
	}
}
