// The settings of an item: what the API spec leaves open, and what concerns n8n. One table lists which operations have
// them, and where on the form.
import {
	boolean,
	choice,
	choices,
	file,
	header,
	integer,
	isCreating,
	isDocumented,
	isWriting,
	object,
	text,
	type Field,
	type Operation,
	type ScalarField,
	type ValuesOf,
} from '../area';
import type { JsonObject } from '../http/json';
import { choiceList, choicesOf } from './labels';
import { hasRowId, onlyFields, onlyFieldsOf, triggerOn } from './trigger';

/** Where the fields of a record come from. */
const specifyFields = choice('specifyFields', {
	choices: choiceList({
		form: ['Using Fields Below', 'Each field on this form'],
		inputItem: [
			'Using the Input Item',
			"Columns named like the service's fields, such as stationNumber. The fastest way for many items.",
		],
		json: ['Using JSON', 'The whole record as JSON'],
	}),
	default: 'form',
	required: true,
	noDataExpression: true,
	description: 'Where the fields of the record come from',
});

const inputDataFieldName = file('inputDataFieldName', {
	label: 'Input Data Field Name',
	default: 'data',
	required: true,
	description: 'The name of the input field containing the binary file data to be uploaded',
});

/** `$binary` gives nothing where n8n keeps files in `_files`, and the other way round. */
export const adviceAllFiles = 'put a Split Out node with $binary (or _files) before this node';

/** The advice of inputs that take JSON: a value in its text may end the text that it stands in. */
export const rowsInJson =
	'To send values of a row, use an expression that gives an object: in JSON text, a quotation mark in a value could add fields.';

/** The request's content where the API spec shows no fields. */
const body = object('body', {
	required: true,
	mayBeList: true,
	description: `One JSON object or list, {} for an empty one; rows are not checked, so filter out blank ones and totals before a POST makes records of them. ${rowsInJson}`,
	example: { name: 'A' },
});

const rowsKey = header('rowsKey', {
	label: 'List Field',
	required: true,
	example: 'vendors',
	description: 'The name of the response field that holds the list of rows',
});

const idField = header('idField', {
	label: 'ID Field',
	required: true,
	example: 'shiftScheduleID',
	description:
		'The name of the response field with the ID that proves success. A write whose response lacks it is in doubt.',
});

/** For a watched list that the API spec does not show. */
const rowIdField = {
	...idField,
	example: 'incidentID',
	description: 'The name of the field that identifies a row, such as its ID',
};

/** The number of rows to return. */
const rowCount = [
	boolean('returnAll', {
		default: false,
		description: 'Whether to return all results or only up to a given limit',
	}),
	integer('limit', {
		min: 1,
		default: 50,
		required: true,
		displayedWhen: { returnAll: [false] },
		description: 'Max number of results to return',
	}),
] as const;

/** Which fields of each row to return. */
const rowOutput = [
	choice('output', {
		choices: choiceList({
			simplified: ['Simplified', 'The most useful fields'],
			raw: ['Raw', 'Everything the service sends'],
			selected: ['Selected Fields', 'The fields that you choose'],
		}),
		default: 'simplified',
		noDataExpression: true,
		description: 'Which fields of each row to return',
	}),
	choices('outputFields', {
		label: 'Fields to Return',
		required: true,
		displayedWhen: { output: ['selected'] },
		description: 'Fields of each row to return',
	}),
] as const;

const offset = integer('offset', { min: 0, default: 0, description: 'Number of items to skip' });

const batchSize = integer('batchSize', {
	min: 1,
	default: 100,
	description:
		"Number of input items to send in one request. The service's maximum is not documented.",
});

const partName = header('partName', {
	label: 'Multipart Part Name',
	default: 'file',
	required: true,
	description: 'Name of the multipart part that carries the file. It is not documented.',
});

/** For a service that requires fields the API spec does not show. */
export const additionalFields = object('additionalFields', {
	label: 'Other Fields (JSON)',
	required: true,
	default: {},
	description:
		'Undocumented fields that the service wants, as a JSON object such as {"agencyID": 12}. They are sent as is, along with the fields on this form: for a list as query parameters, for an upload as form fields before the file.',
});

/** Parallel requests, retries, and waits for the service. */
const sendingOptions = [
	integer('parallelRequests', {
		min: 1,
		max: 256,
		default: 256,
		description:
			'Maximum number of parallel requests; lists, files and batches have at most 32. The node sends fewer when the service slows down or is too busy.',
	}),
	integer('maxTries', {
		min: 1,
		default: 4,
		description:
			'How many times to send a request when the service cannot be reached or is too busy. A write is only retried if it definitely was not processed.',
	}),
	integer('maxWait', {
		label: 'Max Wait (Seconds)',
		min: 0,
		max: 86_400,
		default: 300,
		description:
			'Seconds that the node may be held up without a single success before it gives up; with 0, it never waits. If the service names a time to wait, only this limits the retries.',
	}),
	integer('timeout', {
		label: 'Timeout (Seconds)',
		min: 1,
		max: 3600,
		default: 300,
		description: 'Seconds to wait for a response. For an upload, counted from the last byte sent.',
	}),
] as const;

const include = choice('include', {
	choices: choiceList({
		inputItem: ['Input Item', 'All fields of the input item'],
		responseOnly: ['Response Only', 'Nothing else'],
		sentFields: ['Sent Fields', 'IDs and fields as they were sent, as without this option'],
	}),
	default: 'sentFields',
	description: "What to return with the service's response (whose values win) or an item's error",
});

export const datesInRowsChoices = choiceList({
	iso: ['ISO 8601', 'Such as 2026-12-01T07:00:00'],
	monthFirst: ['Month First', 'Such as 12/1/2026 7:00 AM'],
	dayFirst: ['Day First', 'Such as 1.12.2026 07:00'],
	excel: ["Excel's Numbers", 'Such as 46357.29, which Excel shows as 12/1/2026 7:00'],
});

const datesInRows = choice('datesInRows', {
	label: 'Dates in Rows',
	choices: datesInRowsChoices,
	default: 'iso',
	description: "How dates are written in the rows, besides ISO 8601, in the workflow's time zone",
});

/** Adding the option means turning it on. */
const checkOnly = boolean('checkOnly', {
	default: true,
	required: true,
	description: 'Whether to only check the rows: each item shows its request, which is not sent',
});

/** What earlier runs sent is remembered under a key; engine/once/ implements it. The other options of a key need one. */
const sendOnce = [
	text('sendOnceKey', {
		label: 'Send Once',
		description:
			'A key unique to each row this node will ever send, such as its number in your system. Later runs skip rows whose key was already sent.',
		example: '{{ $json.rowID }}',
	}),
	choice('sendOnceCompare', {
		choices: choiceList({
			keys: ['Keys Alone', 'Only rows with new keys are sent: for keys that you trust'],
			keysAndValues: ['Keys and Values', 'In doubt if only its key or only its values are known'],
		}),
		label: 'Send Once: Compare',
		description: 'What tells that a row was sent before. Without this option, what you see here.',
	}),
	choice('sendOnceRemember', {
		choices: choiceList({
			all: ['All Keys', 'Up to 100,000. After that, rows with new keys fail.'],
			latest: ['The Last 10,000', 'For sources that keep rows for days: older ones are resent'],
		}),
		label: 'Send Once: Remember',
		default: 'all',
		description: 'How many keys to remember; to forget all, replace the node with a copy of it',
	}),
	choice('sendOnceLookedUp', {
		choices: choiceList({
			leave: ['Leave Them in Doubt', 'The same as without this option'],
			areThere: ['They Are There', 'They count as sent and are not resent'],
			areNotThere: ['They Are Not There', 'They are sent'],
			allAreThere: ['All Rows Are There', 'In the editor, every row of the run counts as sent'],
		}),
		label: 'Send Once: Looked-Up Rows',
		default: 'leave',
		description:
			'What you found when you looked up the rows in doubt of this run in the service. It works in the editor, with just those rows; an expression that reads something of its row may stay.',
	}),
] as const;

/**
 * What 'Send Once' compares by default. Sending an update again sets the same state, a file has no values, and equal
 * notifications are ordinary: for these, the values of a row say little.
 */
export const comparedByDefault = (operation: Operation) =>
	isCreating(operation) && !uploadsFile(operation) && !operation.repeats ? 'keysAndValues' : 'keys';

/** It protects other people's changes from being overwritten, so once added, it needs a value. */
const etag = header('etag', {
	label: 'ETag',
	required: true,
	description: 'Current version of the record, sent as the ETag header',
	example: '00000000000007D1',
});

interface SettingsRow {
	place: 'start' | 'output' | 'options';
	has: (operation: Operation) => unknown;
	fields: readonly ScalarField[];
}

const sendsRecord = ({ body: fields }: Operation) => fields !== undefined;
const sendsDates = ({ body: fields }: Operation) =>
	fields
		?.flatMap((field): readonly Field[] => ('fields' in field ? field.fields : [field]))
		.some((field) => field.type === 'dateTime' || 'isDate' in field) === true;
const uploadsFile = ({ kind }: Operation) => kind === 'upload';
const readsList = ({ kind }: Operation) => kind === 'list';
const takesMoreFields = (one: Operation) => sendsRecord(one) || uploadsFile(one) || readsList(one);

/**
 * Every setting, with its place on the form and the operations that have it, in the order in which people think of them.
 * The ETag, which few need, comes last.
 */
const settingsTable = [
	{ place: 'start', has: sendsRecord, fields: [specifyFields] },
	{ place: 'start', has: uploadsFile, fields: [inputDataFieldName] },
	{ place: 'start', has: (one) => !isDocumented(one) && /^P/.test(one.route), fields: [body] },
	{ place: 'start', has: (one) => readsList(one) && !isDocumented(one), fields: [rowsKey] },
	{ place: 'start', has: (one) => one.isWatched && !isDocumented(one), fields: [rowIdField] },
	{ place: 'start', has: (one) => one.isWatched, fields: [triggerOn] },
	{ place: 'start', has: (one) => one.isWatched && hasRowId(one), fields: [onlyFields] },
	{ place: 'start', has: (one) => readsList(one) && !one.isWatched, fields: rowCount },
	{ place: 'output', has: (one) => 'simplified' in one, fields: rowOutput },
	{ place: 'options', has: isWriting, fields: [checkOnly, ...sendOnce, include] },
	{ place: 'options', has: uploadsFile, fields: [partName] },
	{ place: 'options', has: (one) => !readsList(one) && !isDocumented(one), fields: [idField] },
	{ place: 'options', has: sendsDates, fields: [datesInRows] },
	{
		place: 'options',
		has: (one) => 'paged' in one && one.paged && !one.isWatched,
		fields: [offset],
	},
	{ place: 'options', has: takesMoreFields, fields: [additionalFields] },
	{ place: 'options', has: ({ kind }) => kind === 'bulk', fields: [batchSize] },
	{ place: 'options', has: () => true, fields: sendingOptions },
	{ place: 'options', has: (one) => one.etag && !one.isWatched, fields: [etag] },
] as const satisfies readonly SettingsRow[];

type Setting = (typeof settingsTable)[number]['fields'][number];

/** All checked settings of an item; those not on its form have the values of `defaultSettings`. */
export type Settings = ValuesOf<readonly Setting[]>;

const allSettings = settingsTable.flatMap<ScalarField>(({ fields }) => fields);

/** The names of the options of all operations. */
export const optionNames = settingsTable
	.flatMap<ScalarField>(({ place, fields }) => (place === 'options' ? fields : []))
	.map(({ name }) => name);

/** The values of settings that are not on the form. A switch that is on once added is off here. */
export const defaultSettings: Readonly<JsonObject> = {
	...Object.fromEntries(allSettings.map(({ name, default: initial }) => [name, initial])),
	checkOnly: false,
};

/** The settings of an operation at a place of its form. */
export function settingsAt(place: SettingsRow['place'], operation: Operation): ScalarField[] {
	const fields = settingsTable
		.filter((row) => row.place === place && row.has(operation))
		.flatMap<ScalarField>((row) => row.fields);
	const ofOperation: Record<string, object> = {
		sendOnceCompare: { default: comparedByDefault(operation) },
	};
	if (operation.kind === 'list') {
		const { columns, idField } = operation;
		ofOperation.outputFields = { choices: choicesOf(columns), default: idField ? [idField] : [] };
		ofOperation.onlyFields = onlyFieldsOf(operation);
	}
	return fields.map((field) => ({ ...field, ...ofOperation[field.name] }));
}
