// Which tries of a node belong to one run, and find the results of those before: no record may be created twice, and
// no run may take the results of another for its own.
import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { resultsOfRun } from '../../../engine/items/results';

interface Try {
	items: INodeExecutionData[];
	/** n8n's execute data: an object that the tries of one run share. */
	executeData: { node: { name: string } };
	retryOnFail?: boolean;
}

const tryOf = ({ items, executeData, retryOnFail = true }: Try) =>
	resultsOfRun({
		getNode: () => ({ name: 'Shifts', retryOnFail }),
		getInputData: () => items,
		getExecuteData: () => executeData,
	} as unknown as IExecuteFunctions);

const newItems = (): INodeExecutionData[] => [{ json: { a: 1 } }, { json: { a: 2 } }];

/** Whether the second try finds what the first one noted. */
function areOneRun(first: Try, second: Try): boolean {
	tryOf(first)[0] = [{ id: 1 }];
	return tryOf(second)[0] !== undefined;
}

const on = (name: string) => ({ node: { name } });

test('the tries of a run on the canvas share its execute data', () => {
	const shared = { items: newItems(), executeData: on('Shifts') };
	expect(areOneRun(shared, shared)).toBe(true);
	const items = newItems();
	expect(
		areOneRun({ items, executeData: on('Shifts') }, { items, executeData: on('Shifts') }),
	).toBe(false);
});

test('of a tool, whose execute data is that of the agent, the item belongs to the call', () => {
	const executeData = on('Agent');
	const items = newItems();
	expect(areOneRun({ items, executeData }, { items, executeData })).toBe(true);
	expect(areOneRun({ items: newItems(), executeData }, { items: newItems(), executeData })).toBe(
		false,
	);
});

test('without Retry On Fail there are no other tries', () => {
	const shared = { items: newItems(), executeData: on('Shifts'), retryOnFail: false };
	expect(areOneRun(shared, shared)).toBe(false);
});
