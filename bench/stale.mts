// `node bench/stale.mts` lists the benches whose figures are older than the last commit to the code that they depend
// on, with those commits. It only reads the history, so changes that are not committed do not count.
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

import { benchDependencies, type BenchDependencies } from './dependencies.mts';

export interface StaleBench {
	bench: string;
	/** The commits since the figures were made, the newest first. */
	commits: string[];
}

/** @param repository the path of the repository whose history is read */
export function staleBenches(
	benches: readonly BenchDependencies[],
	repository = join(import.meta.dirname, '..'),
): StaleBench[] {
	const log = (...args: string[]): string[] =>
		execFileSync('git', ['log', ...args], { cwd: repository, encoding: 'utf8' })
			.split('\n')
			.filter((line) => line !== '');
	return benches.flatMap(({ bench, figures, code }) => {
		const where = 'file' in figures ? ['--', figures.file] : [`-L${figures.lines}`];
		const [measured] = log('-1', '--format=%H', '--no-patch', ...where);
		if (!measured) throw new Error(`${bench} has no figures in the history`);
		const commits = log('--no-merges', '--format=%h %s', `${measured}..HEAD`, '--', ...code);
		return commits.length > 0 ? [{ bench, commits }] : [];
	});
}

if (import.meta.main) {
	const stale = staleBenches(benchDependencies);
	for (const { bench, commits } of stale) {
		console.log(`npm run ${bench}: its figures are older than these commits`);
		for (const commit of commits) console.log(`  ${commit}`);
	}
	if (stale.length === 0) console.log('The figures of all benches are up to date.');
}
