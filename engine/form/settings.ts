// The settings of an item: what the interface leaves open, and what belongs to n8n. One table says how the
// form shows them and which type they have once they are read.
import type { IDataObject } from 'n8n-workflow';

import {
	boolean,
	choice,
	file,
	header,
	integer,
	isWriting,
	text,
	type Operation,
	type ScalarField,
	type ValuesOf,
} from '../area';
import { listInputs, listOptions, listOutput } from './listSettings';

/** The three ways to give a record's fields. */
export const specifyFields = choice(
	'specifyFields',
	[
		{ value: 'form', name: 'Using Fields Below', description: 'Each field on this form' },
		{
			value: 'inputItem',
			name: 'Using the Input Item',
			description:
				'Fields of the item that have the names of the interface, such as stationNumber; the fastest way for many items',
		},
		{ value: 'json', name: 'Using JSON', description: 'The whole record as JSON' },
	],
	{
		default: 'form',
		required: true,
		fixed: true,
		description: 'Where the fields of the record come from',
	},
);

export const unknownNames = choice(
	'unknownNames',
	[
		{ value: 'ignore', name: 'Ignore' },
		{ value: 'refuse', name: 'Refuse' },
	],
	{
		default: 'ignore',
		shownFor: { specifyFields: ['inputItem'] },
		description:
			'What to do with fields of the input item that the operation does not know. Those that are ignored are named in a hint beside the output.',
	},
);

export const parallelRequests = integer('parallelRequests', {
	min: 1,
	max: 256,
	default: 256,
	description:
		'How many requests may be under way at once, at most: lists, files and bulk requests 32. How many are is found out: more as long as the service answers quickly, fewer when it slows down or is overwhelmed. 1 sends strictly one after another.',
});

/** How long to wait for the service, and how often to ask again. */
export const retrySettings = [
	integer('maxTries', {
		min: 1,
		default: 4,
		description:
			'How often to send a request at most, when the service cannot be reached or is too busy. A request that writes is only sent again when it certainly was not processed.',
	}),
	integer('maxWait', {
		label: 'Max Wait (Seconds)',
		min: 0,
		default: 300,
		description: 'How long a request may wait between its tries, all waits together',
	}),
	integer('timeout', {
		label: 'Timeout (Seconds)',
		min: 1,
		default: 300,
		description:
			'How long the service may take to answer. For an upload it counts from the last byte that was sent.',
	}),
];

const include = choice(
	'include',
	[
		{
			value: 'sentFields',
			name: 'Sent Fields',
			description: 'IDs and fields as they were sent',
		},
		{ value: 'inputItem', name: 'Input Item', description: 'All fields of the input item' },
	],
	{
		description:
			"What to return beside the service's answer, which alone seldom tells what was written. Of fields with the same name the service's counts.",
	},
);

/** What a write's result holds beside the answer. The fields of an upload are its file. */
function includeFor({ kind }: Operation): ScalarField {
	const isUpload = kind === 'upload';
	const choosable = include.choices.filter(({ value }) => !isUpload || value === 'inputItem');
	return { ...include, choices: choosable };
}

const keyOption = 'sendOnceKey';

/** What is known of the items that earlier runs have sent: see engine/once. */
const sendOnceOptions = [
	text(keyOption, {
		label: 'Send Once: Key',
		required: true,
		description:
			'What tells an item from all others that this node will ever send, such as its number in your system. n8n remembers it: an item whose key was sent is not sent again, whatever ended the run or started another.',
		example: '{{ $json.rowID }}',
	}),
	choice(
		'sendOnceIfSent',
		[
			{ value: 'item', name: 'Return a Marker Item' },
			{ value: 'nothing', name: 'Return Nothing' },
			{ value: 'error', name: 'Return an Error Item' },
		],
		{
			label: 'Send Once: If Already Sent',
			default: 'item',
			needs: keyOption,
			description: 'What to return for an item that an earlier run has sent',
		},
	),
	choice(
		'sendOnceAnyway',
		[
			{ value: 'inDoubt', name: 'What Is in Doubt' },
			{ value: 'all', name: 'What Was Sent, Too' },
			{ value: 'nothing', name: 'Nothing', description: 'As without this option' },
		],
		{
			label: 'Send Once: Send Anyway',
			needs: keyOption,
			description:
				'Items to send although an earlier run has, or may have. For those alone that you have looked up in the service and not found: remove the option afterwards.',
		},
	),
	integer('sendOnceRemember', {
		label: 'Send Once: Remember',
		default: 10_000,
		min: 1000,
		max: 100_000,
		needs: keyOption,
		description:
			'How many keys to remember. The more, the longer it takes. To forget all, put a copy of the node in its place: a copy remembers nothing.',
	}),
	choice(
		'sendOnceWhenFull',
		[
			{
				value: 'stop',
				name: 'Send Nothing New',
				description: 'Items with new keys fail until more may be remembered',
			},
			{
				value: 'forget',
				name: 'Forget the Oldest',
				description: 'An item whose key was forgotten would be sent again',
			},
		],
		{
			label: 'Send Once: When Full',
			default: 'stop',
			needs: keyOption,
			description: 'What to do when as many keys are remembered as may be',
		},
	),
];

const allowWhenRetried = boolean('allowWhenRetried', {
	default: false,
	description:
		"Whether to send all items again when an execution is retried and n8n does not tell what its last run has sent. Without it nothing is sent then. With 'Send Once: Key' it is not needed.",
});

/** Of an operation that writes. */
export const writeOptions = (operation: Operation): ScalarField[] =>
	isWriting(operation) ? [includeFor(operation), ...sendOnceOptions, allowWhenRetried] : [];

/** Where the interface lists 304 or an ETag. */
export const notModified = choice(
	'notModified',
	[
		{ value: 'item', name: 'Return a Marker Item' },
		{ value: 'nothing', name: 'Return Nothing' },
	],
	{
		label: 'If Not Modified',
		default: 'item',
		description:
			'What to return when the service answers that nothing has changed since the version of the ETag (status 304)',
	},
);

export const etag = header('etag', {
	label: 'ETag',
	description: 'Current version of the record, sent as the ETag header',
	example: 'AAAAAAAAB9E=',
});

/**
 * The ETag of an operation. A write without the guard that was asked for could overwrite what others did: once
 * added it must have a value. A read without it gives the record anew, which does no harm.
 */
export const etagFor = (operation: Operation): ScalarField =>
	isWriting(operation)
		? {
				...etag,
				required: true,
				description: `${etag.description}. Once added it must have a value: nothing is written without it.`,
			}
		: etag;

const bulkOptions = [
	integer('batchSize', {
		min: 1,
		default: 100,
		description:
			'Number of input items to send in one request. The service does not state its maximum.',
	}),
];

const uploadOptions = [
	header('partName', {
		label: 'Multipart Part Name',
		default: 'file',
		required: true,
		description: 'Name of the multipart part that carries the file. The service does not state it.',
	}),
];

const uploadInputs = [
	file('inputDataFieldName', {
		label: 'Input Data Field Name',
		default: 'data',
		required: true,
		description: 'The name of the input field containing the binary file data to be uploaded',
	}),
];

type ByKind = Record<Operation['kind'], readonly ScalarField[]>;

/** Settings of an operation's kind that stand under Options. */
export const optionsByKind: ByKind = {
	item: [],
	empty: [],
	list: listOptions,
	bulk: bulkOptions,
	upload: uploadOptions,
};

/** Settings of an operation's kind that stand on the form itself. */
export const inputsByKind: ByKind = {
	item: [],
	empty: [],
	list: listInputs,
	bulk: [],
	upload: uploadInputs,
};

const allSettings = [
	specifyFields,
	unknownNames,
	include,
	...sendOnceOptions,
	allowWhenRetried,
	parallelRequests,
	...retrySettings,
	notModified,
	etag,
	...listOptions,
	...bulkOptions,
	...uploadOptions,
	...listInputs,
	...listOutput,
	...uploadInputs,
];

/** All settings an item may have, checked; those that its operation does not show have their default. */
export type Settings = ValuesOf<typeof allSettings>;

/** What the form starts with. */
export const defaultSettings: Readonly<IDataObject> = Object.fromEntries(
	allSettings.flatMap((field) => ('default' in field ? [[field.name, field.default]] : [])),
);
