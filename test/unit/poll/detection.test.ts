// The date that the next poll asks from.
import type { TriggerSettings } from '../../../engine/form/trigger';
import { detectionOf } from '../../../engine/poll/detection';
import type { ListReader } from '../../../engine/poll/listReader';

const minute = 60_000;
const reader = { allRows: async () => [{ row: {}, digest: 'x 1' }] } as unknown as ListReader;

/** Minutes before now from which the next poll asks. */
async function nextAsksFrom(cursor: string | undefined, overlap: number): Promise<number> {
	const settings = { detectBy: 'changesSince', overlap } as TriggerSettings;
	const state = { rows: '', cursor };
	const { nextState } = await detectionOf(settings).detectChanges(reader, state, settings);
	return Math.round((Date.now() - Date.parse(nextState.cursor!)) / minute);
}

const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * minute).toISOString();

test.each<[string, number | undefined, number, number]>([
	['the first date is the overlap before now', undefined, 10, 10],
	['a later date than before', 60, 10, 10],
	['not before the date of this poll, when the overlap was raised', 60, 1440, 60],
	['a date in the future, of a clock that was set back, does not hold', -600, 10, 10],
])('%s', async (_, cursor, overlap, expected) => {
	const from = cursor === undefined ? undefined : minutesAgo(cursor);
	expect(await nextAsksFrom(from, overlap)).toBe(expected);
});
