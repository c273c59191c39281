// An operation that a test makes up and an item of it, each with all that its type demands.
import type { IDataObject } from 'n8n-workflow';

import type { Content } from '../../engine/response/evidence';
import { judge } from '../../engine/response/judge';
import { text, type Method, type Operation, type SingleOperation } from '../../engine/area';
import { layoutOf } from '../../engine/form/layout';
import { defaultSettings, type Settings } from '../../engine/form/settings';
import type { Job } from '../../engine/kinds/job';
import { kindOf } from '../../engine/kinds/kinds';
import type { Try } from '../../engine/send/retryPolicy';
import { SavedForm } from '../../engine/values/formInputs';
import { readItem } from '../../engine/values/item';

export const operationWith = (changes: Partial<SingleOperation>): SingleOperation => ({
	kind: 'single',
	name: 'create',
	label: 'Create',
	action: '',
	description: '',
	route: 'POST /things',
	headerProfile: 'A',
	etag: false,
	returns: text('id'),
	...changes,
});

/** The first item of a run, with these parameters. */
export const jobOf = (operation: Operation, parameters: IDataObject = {}): Job => {
	const parameter = (name: string) => parameters[name];
	const source = { parameter, json: {}, timeZone: 'UTC', form: new SavedForm({}) };
	return { itemIndex: 0, ...readItem(layoutOf(operation), source) };
};

/** The expected content of an operation's response, with the settings of an empty form. */
export const contentOf = (operation: Operation): Content =>
	kindOf(operation).contentOf(operation, defaultSettings as unknown as Settings);

/** The first try of a request, sent when the clock started, with its result. */
export function tryOf(operation: Operation, shown: Partial<Try> = {}): Try {
	const seen = {
		operation,
		method: operation.route.split(' ')[0] as Method,
		content: contentOf(operation),
		startedAt: 0,
		tries: 1,
		maybeSent: true,
		text: shown.status === undefined ? undefined : '',
		...shown,
	} as Try;
	return { ...seen, verdict: judge(seen) };
}
