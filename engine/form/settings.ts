// The settings of an item: what the interface leaves open, and what belongs to n8n. One table says how the form shows
// them and which types they have once they are read.
import type { IDataObject } from 'n8n-workflow';

import {
	beforeVersion2,
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

/** Where the fields of a record come from. */
export const specifyFields = choice(
	'specifyFields',
	[
		{ value: 'form', name: 'Using Fields Below', description: 'Each field on this form' },
		{
			value: 'inputItem',
			name: 'Using the Input Item',
			description:
				"Fields of the input item whose names are the service's, such as stationNumber. The fastest way for many items.",
		},
		{ value: 'json', name: 'Using JSON', description: 'The whole record as JSON' },
	],
	{
		default: 'form',
		required: true,
		noDataExpression: true,
		description: 'Where the fields of the record come from',
	},
);

export const unknownNames = choice(
	'unknownNames',
	[
		{ value: 'ignore', name: 'Ignore', description: 'They are not sent, and a hint names them' },
		{ value: 'refuse', name: 'Refuse', description: 'Nothing is sent while there are any' },
	],
	{
		label: 'Unknown Columns',
		default: 'ignore',
		displayedWhen: { specifyFields: ['inputItem'] },
		description:
			"What to do with columns of the input item that the operation does not have. When they are ignored, a hint and n8n's log name them. A column that is nearly a field, such as StationNumber for stationNumber, is refused in any case.",
	},
);

export const parallelRequests = integer('parallelRequests', {
	min: 1,
	max: 256,
	default: 256,
	description:
		'The largest number of requests under way at once; for lists, files and bulk requests it is 32 at most. Within this limit the node sends more at once while the service answers quickly, and fewer when it slows down or is too busy. With 1, each request waits for the one before.',
});

/** How long to wait for the service, and how often to send a request. */
export const retrySettings = [
	integer('maxTries', {
		min: 1,
		default: 4,
		description:
			'How often a request is sent at most when the service cannot be reached or is too busy. A request that writes is only sent again when it was certainly not processed.',
	}),
	integer('maxWait', {
		label: 'Max Wait (Seconds)',
		min: 0,
		default: 300,
		description: 'How long a request may wait between its tries, all waits added up',
	}),
	integer('timeout', {
		label: 'Timeout (Seconds)',
		min: 1,
		default: 300,
		description:
			'How long the service may take to answer. For an upload, the time starts when the last byte was sent.',
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
			"What to return in addition to the service's answer, which alone seldom shows what was written. A new node starts with Sent Fields. When names are equal, the service's value is returned.",
	},
);

/** What a write returns in addition to the answer. An upload cannot return its fields, which are the file. */
function includeFor({ kind }: Operation): ScalarField {
	const isUpload = kind === 'upload';
	const choices = include.choices.filter(({ value }) => !isUpload || value === 'inputItem');
	return { ...include, choices };
}

const keyOption = 'sendOnceKey';

/** The options that keep an item from being sent again by a later run; engine/once/ follows them. */
const sendOnceOptions = [
	text(keyOption, {
		label: 'Send Once',
		required: true,
		description:
			'A key: a value that identifies the item among all that this node will ever send, such as its number in your system. n8n remembers the keys: an item whose key was sent before is not sent again, however the last run ended and whatever started this one. Set it before you send thousands of rows: after a run that was stopped, the next one sends the rest.',
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
			requiresOption: keyOption,
			description: 'What to return for an item that an earlier run has sent',
		},
	),
	integer('sendOnceRemember', {
		label: 'Send Once: Remember',
		default: 10_000,
		min: 1000,
		max: 100_000,
		requiresOption: keyOption,
		description:
			'How many keys to remember. The more keys, the longer each run takes. To forget all keys, replace the node with a copy of it: a copy remembers nothing.',
	}),
	choice(
		'sendOnceWhenFull',
		[
			{
				value: 'stop',
				name: 'Send Nothing New',
				description: 'Items with new keys fail until the limit is raised',
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
			requiresOption: keyOption,
			description: 'What to do when the number of remembered keys has reached its limit',
		},
	),
];

const sendOnceAnyway = choice(
	'sendOnceAnyway',
	[
		{ value: 'inDoubt', name: 'What Is in Doubt' },
		{ value: 'all', name: 'What Was Sent, Too' },
		{ value: 'nothing', name: 'Nothing', description: 'The same as without this option' },
	],
	{
		label: 'Send Once: Send Anyway',
		requiresOption: keyOption,
		description:
			'Which items to send although an earlier run sent them, or may have sent them. Use it only for items that you have looked up in the service and not found, and remove the option afterwards.',
	},
);

const allowWhenRetried = boolean('allowWhenRetried', {
	default: false,
	description:
		"Whether to send all items again when an execution is retried and n8n does not say what its last run sent. When this is off, nothing is sent in that case. With 'Send Once' this option is not needed.",
});

/** The options of operations that write. */
export const writeOptions = (operation: Operation): ScalarField[] =>
	isWriting(operation) ? [...sendOnceOptions, includeFor(operation)] : [];

/** The options by which something may be sent a second time. */
export const dangerousOptions = (operation: Operation): ScalarField[] =>
	isWriting(operation) ? [sendOnceAnyway, allowWhenRetried] : [];

/**
 * What the options of a new node start with: without the fields that were sent, nobody could tell which row an ID in
 * the answer is of. An upload cannot return its fields.
 */
export const initialOptions = (operation: Operation): Record<string, string> | undefined =>
	isWriting(operation) && operation.kind !== 'upload' ? { include: 'sentFields' } : undefined;

/** For operations whose interface lists 304 or an ETag. */
const notModified = choice(
	'notModified',
	[
		{ value: 'item', name: 'Return a Marker Item' },
		{ value: 'nothing', name: 'Return Nothing' },
	],
	{
		label: 'If Not Modified',
		default: 'item',
		description:
			'What to return when the service answers that the record has not changed since the version in the ETag (status 304)',
	},
);

const etag = header('etag', {
	label: 'ETag',
	description: 'Current version of the record, sent as the ETag header',
	example: 'AAAAAAAAB9E=',
});

/**
 * The ETag option of an operation. On a write, an ETag keeps others' changes from being overwritten, so once the
 * option is added it must have a value. A read without it only gives the record again, which does no harm.
 */
const etagFor = (operation: Operation): ScalarField =>
	isWriting(operation)
		? {
				...etag,
				required: true,
				description: `${etag.description}. Once the option is added, it must have a value: without one, nothing is written.`,
			}
		: etag;

/** A record that is made new has no version, so that the form of its operation offers neither from version 2 on. */
const makesNewRecord = ({ request, ids = [] }: Operation): boolean =>
	request.startsWith('POST ') && ids.length === 0;

/** The options about the version of a record. */
export function etagOptions(operation: Operation): ScalarField[] {
	const options = [
		...(operation.etag ? [etagFor(operation)] : []),
		...(operation.headerProfile === 'A' ? [notModified] : []),
	];
	return makesNewRecord(operation)
		? options.map((option) => ({ ...option, displayedWhen: beforeVersion2 }))
		: options;
}

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

type SettingsByKind = Record<Operation['kind'], readonly ScalarField[]>;

/** The settings of each kind of operation that are under 'Options'. */
export const optionsByKind: SettingsByKind = {
	item: [],
	empty: [],
	list: listOptions,
	bulk: bulkOptions,
	upload: uploadOptions,
};

/** The settings of each kind of operation that are on the form itself. */
export const inputsByKind: SettingsByKind = {
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
	sendOnceAnyway,
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

/** All settings of an item, checked; those that its operation does not show have their defaults. */
export type Settings = ValuesOf<typeof allSettings>;

/** The settings that the form starts with. */
export const defaultSettings: Readonly<IDataObject> = Object.fromEntries(
	allSettings.flatMap((field) => ('default' in field ? [[field.name, field.default]] : [])),
);
