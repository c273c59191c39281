// The keys by which items are sent once: each must tell its item from all others of the run.
import { shortened } from '../http/json';
import type { FieldProblem } from '../values/fields';
import type { Job } from './job';

const keyLabel = 'Send Once: Key';

/** Bytes of a key in a message. */
const maxKeyBytes = 100;

/** A key as messages show it. */
export const quotedKey = (key: string): string => `"${shortened(key, maxKeyBytes)}"`;

export class UniqueKeys {
	private readonly itemByKey = new Map<string, number>();

	/** Enters among the problems a key that is blank, or that an item before has. */
	check({ itemIndex, values: { settings } }: Job, problems: FieldProblem[]): void {
		const { sendOnceKey: key } = settings;
		if (key === undefined) return;
		if (key.trim() === '') problems.push({ label: keyLabel, text: 'is blank' });
		const owner = this.itemByKey.get(key);
		if (owner === undefined) {
			this.itemByKey.set(key, itemIndex);
		} else {
			const text = `is ${quotedKey(key)}, like that of item ${owner}: each item needs a key of its own`;
			problems.push({ label: keyLabel, text });
		}
	}
}
