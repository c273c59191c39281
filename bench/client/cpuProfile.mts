// Profiles this process: which code the processor's time is spent in (self time), by who wrote that code.
import { Session } from 'node:inspector/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const dist = join(import.meta.dirname, '..', '..', 'dist');

/** An address belongs to the first owner that matches it. */
const owners: Array<[owner: string, is: (url: string) => boolean]> = [
	['this package', (url) => url.startsWith(dist) || url.startsWith(pathToFileURL(dist).href)],
	['axios', (url) => url.includes('node_modules/axios/')],
	['n8n', (url) => /node_modules\/(n8n-|@n8n\/)/.test(url)],
	['Node.js (connections, HTTP, streams)', (url) => url.startsWith('node:')],
	['other libraries', (url) => url !== ''],
	['V8 and native code', () => true],
];

export type CpuShares = Record<string, number>;

/** @returns a function that ends the profile and returns each owner's share, from 0 to 1 */
export async function startCpuProfile(): Promise<() => Promise<CpuShares>> {
	const session = new Session();
	session.connect();
	await session.post('Profiler.enable');
	await session.post('Profiler.setSamplingInterval', { interval: 200 });
	await session.post('Profiler.start');
	return async () => {
		const { profile } = await session.post('Profiler.stop');
		session.disconnect();
		const frames = new Map(profile.nodes.map(({ id, callFrame }) => [id, callFrame]));
		const times: CpuShares = {};
		let total = 0;
		for (const [index, id] of (profile.samples ?? []).entries()) {
			const { functionName, url } = frames.get(id)!;
			if (functionName === '(idle)') continue;
			const time = profile.timeDeltas![index]!;
			const [owner] = owners.find(([, is]) => is(url))!;
			times[owner] = (times[owner] ?? 0) + time;
			total += time;
		}
		return Object.fromEntries(Object.entries(times).map(([owner, time]) => [owner, time / total]));
	};
}
