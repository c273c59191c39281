// Random combinations of dialects.
import {
	defaultDialects,
	dialectNames,
	waysOf,
	type DialectName,
	type Dialects,
} from '../../sandbox/dialects.mts';
import { seededRandom } from '../../sandbox/random.mts';

/**
 * @param seed the same seed gives the same mixture
 * @param share of the dialects that differ from the defaults, from 0 to 1
 * @param names of the dialects that may differ; all if not given
 */
export function randomDialects(
	seed: number,
	share: number,
	names: readonly DialectName[] = dialectNames,
): Dialects {
	const random = seededRandom(seed);
	const chosen = names.map((name) => {
		const [own, ...others] = waysOf(name);
		const other = others[Math.floor(random() * others.length)];
		return [name, random() < share ? other : own];
	});
	return { ...defaultDialects, ...(Object.fromEntries(chosen) as Partial<Dialects>) };
}
