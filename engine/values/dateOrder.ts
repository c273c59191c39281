// Finds periods that end before they start. They are only mentioned, since the service may allow them.
import type { IDataObject } from 'n8n-workflow';

import type { Field } from '../area';
import { labelOf } from '../form/labels';

/** The labels of two fields of the form, of which the end has an earlier date than the start. */
export interface ReversedDates {
	endLabel: string;
	startLabel: string;
}

/** @param values have been checked: dates and times are ISO 8601 */
export const reversedDatesIn = (fields: readonly Field[], values: IDataObject): ReversedDates[] =>
	fields.flatMap((field) => {
		const start = 'startField' in field && fields.find(({ name }) => name === field.startField);
		if (!start) return [];
		const timeOf = ({ name }: Field) => Date.parse(values[name] as string);
		const isReversed = timeOf(field) < timeOf(start);
		return isReversed ? [{ endLabel: labelOf(field), startLabel: labelOf(start) }] : [];
	});
