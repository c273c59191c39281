// What the nodes' own tests do not see of a time limit: work that does not stop.
import { withDeadline } from '../../../engine/http/deadline';
import { useVirtualTime } from '../../harness/virtualTime.cts';

const time = useVirtualTime();

/** Enough for any timeout of seconds. */
const anHour = 3_600_000;

test('work that does not stop is given up', async () => {
	const deaf = () => new Promise<string>(() => {});
	const late = () => 'late';
	const work = withDeadline({ timeout: 20 }, deaf, late);
	time.pass(20);
	time.pass(anHour);
	expect(await work).toBe('late');
	const ended = withDeadline({ timeout: anHour, stopSignals: [AbortSignal.abort()] }, deaf, late);
	time.pass(1000);
	expect(await ended).toBe('late');
});
