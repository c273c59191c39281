// What a trigger saves in n8n's static data.
import type { IDataObject, IPollFunctions } from 'n8n-workflow';

import { loadState, saveState } from '../../../engine/poll/pollState';

let staticData: IDataObject;
beforeEach(() => (staticData = {}));
const ctx = { getWorkflowStaticData: () => staticData } as unknown as IPollFunctions;

test('too much is an error, and replaces nothing', () => {
	saveState(ctx, 'a', { rows: 'x 1' }, []);
	const before = structuredClone(staticData);
	const tooMuch = { rows: 'x'.repeat(20_000_000) };
	expect(() => saveState(ctx, 'a', tooMuch, [{}])).toThrow(/too long for the trigger to remember/);
	expect(staticData).toEqual(before);
});

test('static data that is no object is told: nothing could be remembered in it', () => {
	const edited = { getWorkflowStaticData: () => null } as unknown as IPollFunctions;
	expect(() => loadState(edited, 'a')).toThrow(/static data in n8n is not an object/);
});

test.each([
	[{ rows: 5 }],
	[{ rows: undefined }],
	[{ cursor: {} }],
	[{ delivered: [{}] }],
	[{ deliveredBy: null }],
	[{ basis: 7 }],
])('%j, which a person has written, is begun anew', (edited) => {
	saveState(ctx, 'a', { rows: 'x 1' }, [{ changeType: 'added' }]);
	Object.assign(staticData, edited);
	expect(loadState(ctx, 'a')).toEqual({ whyAnew: 'its saved state is not readable' });
	saveState(ctx, 'a', { rows: 'x 2' }, []);
	expect(loadState(ctx, 'a')).toEqual({ state: { rows: 'x 2' } });
});
