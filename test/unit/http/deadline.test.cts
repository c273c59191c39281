// What the nodes' own tests do not see of a time limit: work that does not stop.
import { withDeadline } from '../../../engine/http/deadline';
import { useVirtualTime } from '../../harness/virtualTime.cts';

const time = useVirtualTime();

const anHour = 3_600_000;

test.each([[[]], [[AbortSignal.abort()]]])(
	'work that does not stop is given up',
	async (signals) => {
		const deaf = () => new Promise<string>(() => {});
		const work = withDeadline({ timeout: anHour, stopSignals: signals }, deaf, () => 'late');
		if (signals.length === 0) time.pass(anHour);
		time.pass(1000);
		expect(await work).toBe('late');
	},
);
