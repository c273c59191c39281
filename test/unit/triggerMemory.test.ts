// What a trigger keeps in n8n's static data.
import type { IDataObject, IPollFunctions } from 'n8n-workflow';

import { recall, remember } from '../../engine/poll/memory';

let staticData: IDataObject;
beforeEach(() => (staticData = {}));
const ctx = { getWorkflowStaticData: () => staticData } as unknown as IPollFunctions;

test('what was remembered is known, but not for another basis', () => {
	remember(ctx, 'a', { rows: 'x 1', cursor: 'y' });
	expect(recall(ctx, 'a')).toEqual({ rows: 'x 1', cursor: 'y' });
	expect(recall(ctx, 'b')).toBeUndefined();
	remember(ctx, 'a', { rows: '' });
	expect(recall(ctx, 'a')).toEqual({ rows: '', cursor: undefined });
});

test('too much is an error, and replaces nothing', () => {
	remember(ctx, 'a', { rows: 'x 1' });
	const before = structuredClone(staticData);
	const tooMuch = { rows: 'x'.repeat(20_000_000) };
	expect(() => remember(ctx, 'a', tooMuch, [{}])).toThrow(/more than .* can remember/);
	expect(staticData).toEqual(before);
});
