// n8n before n8n-workflow 2.34: its sleep() takes no signal.
import { wait } from '../../engine/n8n';

jest.mock('n8n-workflow', () => ({ NodeConnectionTypes: {}, sleep: () => new Promise(() => {}) }));

test('a wait ends with its signal, whatever sleep() does', async () => {
	const stop = new AbortController();
	const waiting = wait(3_600_000, stop.signal);
	stop.abort();
	await waiting;
	await wait(3_600_000, stop.signal);
});
