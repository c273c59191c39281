// Where the processor's time goes, by whose code it is in (self time).
import { Session } from 'node:inspector/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const dist = join(import.meta.dirname, '..', '..', 'dist');

/** The first that fits counts. */
const owners: Array<[owner: string, is: (place: string) => boolean]> = [
	['this package', (place) => place.startsWith(dist) || place.startsWith(pathToFileURL(dist).href)],
	['axios', (place) => place.includes('node_modules/axios/')],
	['n8n', (place) => /node_modules\/(n8n-|@n8n\/)/.test(place)],
	['Node.js (connections, HTTP, streams)', (place) => place.startsWith('node:')],
	['other libraries', (place) => place !== ''],
	['V8 and native code', () => true],
];

export type Shares = Record<string, number>;

/** @returns a function that ends the profile and gives each owner's share, from 0 to 1 */
export async function startProfile(): Promise<() => Promise<Shares>> {
	const session = new Session();
	session.connect();
	await session.post('Profiler.enable');
	await session.post('Profiler.setSamplingInterval', { interval: 200 });
	await session.post('Profiler.start');
	return async () => {
		const { profile } = await session.post('Profiler.stop');
		session.disconnect();
		const frames = new Map(profile.nodes.map(({ id, callFrame }) => [id, callFrame]));
		const times: Shares = {};
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
