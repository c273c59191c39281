// Checks the keys of 'Send Once': no key may be blank, and no two items of a run may have the same one.
import { shortened } from '../http/json';
import { itemsInWords } from '../items/itemNames';
import type { FieldProblem } from '../values/fields';
import type { Job } from './job';

const keyLabel = 'Send Once';

/** The most bytes of a key that a message shows. */
const maxKeyBytes = 100;

/** A key as messages show it. */
export const quotedKey = (key: string): string => `"${shortened(key, maxKeyBytes)}"`;

/** What to write where the name of a column stands in place of the column. */
const expressionFor = (key: string, json: object): string =>
	Object.hasOwn(json, key)
		? `. To use the column ${quotedKey(key)}, write the expression {{ $json[${quotedKey(key)}] }}`
		: '';

export class UniqueKeys {
	private readonly itemByKey = new Map<string, number>();

	/**
	 * Adds a problem when the job's key is blank, or is that of an earlier item.
	 * @param json the input item
	 */
	check({ itemIndex, values: { settings } }: Job, json: object, problems: FieldProblem[]): void {
		const { sendOnceKey: key } = settings;
		if (key === undefined) return;
		if (key.trim() === '') problems.push({ label: keyLabel, text: 'is blank' });
		const earlierItem = this.itemByKey.get(key);
		if (earlierItem === undefined) {
			this.itemByKey.set(key, itemIndex);
		} else {
			const rule = `each item needs a key of its own${expressionFor(key, json)}`;
			const text = `is ${quotedKey(key)}, like that of ${itemsInWords([earlierItem])}: ${rule}`;
			problems.push({ label: keyLabel, text, rule });
		}
	}
}
