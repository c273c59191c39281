// The keys by which items are sent once: each must tell its item from all others of the run.
import { shortened } from '../http/json';
import type { Problem } from '../values/fields';
import type { Job } from './job';

const label = 'Send Once: Key';

/** Bytes of a key in a message. */
const longestKey = 100;

/** A key as messages show it. */
export const quoted = (key: string): string => `"${shortened(key, longestKey)}"`;

export class Keys {
	private readonly owners = new Map<string, number>();

	/** Enters among the problems a key that is blank, or that an item before has. */
	check({ itemIndex, values: { settings } }: Job, problems: Problem[]): void {
		const { sendOnceKey: key } = settings;
		if (key === undefined) return;
		if (key.trim() === '') problems.push({ label, text: 'is blank' });
		const owner = this.owners.get(key);
		if (owner === undefined) {
			this.owners.set(key, itemIndex);
		} else {
			const text = `is ${quoted(key)}, like that of item ${owner}: each item needs a key of its own`;
			problems.push({ label, text });
		}
	}
}
