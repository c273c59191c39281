// The cost of a run's output items.
import type { INode } from 'n8n-workflow';

import { Failure } from '../../../engine/failure';
import type { Ledger } from '../../../engine/items/ledger';
import { outputItems } from '../../../engine/items/nodeOutput';

/** How often paths' outcomes are read if one row has this number of refused paths. */
async function readsOfOutcomes(paths: number): Promise<number> {
	let reads = 0;
	const results = Array.from({ length: paths }, (_, n) => {
		const failure = new Failure('no', 'refused', { path: `/licenses/${n}` });
		const get = () => (reads++, 'refused');
		return Object.defineProperty(failure, 'outcome', { get });
	});
	const ctx = { getNode: () => ({}) as INode };
	expect(await outputItems({ ctx, items: [{ results }] } as unknown as Ledger)).toHaveLength(paths);
	return reads;
}

test('the work for a row grows linearly with its refused paths', async () => {
	expect(await readsOfOutcomes(1000)).toBe(10 * (await readsOfOutcomes(100)));
});
