// Ends that come before their beginnings: worth a word, though the service's rules may allow them.
import type { IDataObject } from 'n8n-workflow';

import type { Field } from '../area';
import { labelOf } from '../form/labels';

/** Both by their labels on the form. */
export interface ReversedDates {
	end: string;
	begin: string;
}

/** @param values checked: dates and times are ISO 8601 */
export const reversedDatesIn = (fields: readonly Field[], values: IDataObject): ReversedDates[] =>
	fields.flatMap((field) => {
		const begin = 'after' in field && fields.find(({ name }) => name === field.after);
		if (!begin) return [];
		const timeOf = ({ name }: Field) => Date.parse(values[name] as string);
		const isReversed = timeOf(field) < timeOf(begin);
		return isReversed ? [{ end: labelOf(field), begin: labelOf(begin) }] : [];
	});
