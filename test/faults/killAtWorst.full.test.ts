// The worst of the moments at which kills.full.test.ts kills a process.
import { mostInDoubt, useNights } from './kills';

const { night } = useNights(1);

test('killed when some rows were answered, and none was noted as done', async () => {
	const result = await night('worst', { death: { kind: 'remove', call: 1, written: false } });
	expect(result).toMatchObject({ died: true, doubled: 0, lost: 0 });
	expect(result.inDoubt).toBeGreaterThan(0);
	expect(result.inDoubt).toBeLessThanOrEqual(mostInDoubt);
});
