// Turns one raw value into the value to send, or explains in plain words why it is invalid.
import type { ScalarField, ScalarType } from '../area';
import { savedAndShown } from '../form/labels';
import { adviceAllFiles } from '../form/settings';
import { holdsLostDigits, isObject, orUndefined } from '../http/json';
import { readAddress } from './address';
import { exactRange, invalid, valid, type CheckedValue } from './checkedValue';
import { readDate, type Conventions } from './dateTime';
import { readJson } from './jsonValue';
import { isoOfObject, isUnset, plainText } from './rawValue';
import { pathProblem, textProblem } from './textProblem';

/**
 * Maximum characters of a value that is not free text. The limit is the length of a line that every server should
 * accept (RFC 9112 §3), for headers; no other value needs as many. Without a limit, the caller of a webhook could send
 * any number.
 */
const maxValueCharacters = 8000;

/** The types whose texts may have any length. */
const freeTexts: readonly ScalarType[] = ['text', 'textList', 'object', 'objectList'];

const rangeOf = (min: number, max: number): string => {
	if (max < Infinity) return ` from ${min} to ${max}`;
	return min > -Infinity ? `, ${min} or more` : '';
};

/** Reads a number, or a number written as text. Too many decimals are rounded, as by any JSON parser. */
function readNumber(raw: unknown, field: ScalarField): CheckedValue {
	const { type, min = -Infinity, max = Infinity, standsFor } = field;
	const isWhole = type === 'integer';
	const code = standsFor === 'code' ? '; it is a code: ask the service owner which there are' : '';
	const text = plainText(raw);
	const plain = /\d,\d{3}/.test(text) ? ' without thousands separators' : '';
	const expected = `must be a ${isWhole ? 'whole number' : 'number'}${rangeOf(min, max)}${plain}`;
	const isNumber = typeof raw === 'number' || /^-?(?:\d+(?:\.\d+)?|\.\d+)$/.test(text);
	const value = isNumber ? Number(text) : NaN;
	if (holdsLostDigits(value)) return invalid(`${expected}, ${exactRange}`);
	const fits = (!isWhole || Number.isInteger(value)) && value >= min && value <= max;
	return fits ? valid(value) : invalid(expected + code);
}

function readTextValue(raw: unknown): CheckedValue {
	if (typeof raw === 'string') {
		const problem = textProblem(raw);
		return problem ? invalid(problem) : valid(raw);
	}
	if (typeof raw === 'number' && Number.isFinite(raw))
		return holdsLostDigits(raw) ? invalid(`must be text, or ${exactRange}`) : valid(String(raw));
	const iso = isoOfObject(raw);
	return iso ? valid(iso) : invalid('must be text');
}

const uuidPattern = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i;

/** A header's value has no control characters, and surrounding spaces and tabs are not part of it (RFC 9110 §5.5). */
function readHeader(raw: unknown): CheckedValue {
	if (typeof raw === 'number') return readTextValue(raw);
	if (typeof raw !== 'string') return invalid('must be text or a number');
	const text = raw.replace(/^[ \t]+|(?<![ \t])[ \t]+$/g, '');
	if (!/^[\x20-\x7e]+$/.test(text)) return invalid('must be one line of plain ASCII characters');
	return readTextValue(text);
}

type ScalarReader = (raw: unknown, field: ScalarField, conventions: Conventions) => CheckedValue;

/** An expression may return a choice's value or its name; only the value if n8n shows and hides fields by it. */
const readChoices: ScalarReader = (raw, { type, choices = [], noDataExpression }) => {
	const isOne = type === 'choice';
	const valueOf = (one: unknown) =>
		choices.find(({ value, name }) => one === value || (one === name && !noDataExpression))?.value;
	const values = (isOne ? [raw] : [raw].flat()).map(valueOf);
	if (!values.includes(undefined)) return valid(isOne ? values[0]! : (values as string[]));
	const chooseIt = noDataExpression ? ': choose it in the list, which takes no expression' : '';
	return invalid(`must be ${isOne ? 'one' : 'some'} of ${savedAndShown(choices)}${chooseIt}`);
};

/** Separators between entries in a cell, and the start of a list that a program wrote as text. */
const maybeSeveral = /[,;\r\n]|^[[{"]/;

/** The two expressions to choose from if a text may be one entry or several: only a person knows which. */
function eitherWay(text: string, name: string): string {
	const separator = /[;\r\n]/.test(text) ? '/[;\\n]/' : "','";
	const split = `$json.${name}.toString().split(${separator})`;
	const list = /^[[{"]/.test(text) ? `[JSON.parse($json.${name})].flat()` : split;
	return `must be a list: use {{ ${list} }} if it is several entries or {{ [$json.${name}] }} if it is one, alone in the field, with the name of your column`;
}

/**
 * Reads a list of texts. Its entries are accepted whatever they contain. A text alone is one entry, but is refused if
 * it looks like several.
 */
function readTextList(raw: unknown, { name }: ScalarField): CheckedValue {
	const entries: unknown[] = [raw].flat();
	const trimmed = entries.map((one) => (typeof one === 'string' ? one.trim() : one));
	const filled = trimmed.filter((entry) => entry !== '' && !isUnset(entry));
	const checked = filled.map(readTextValue);
	const wrong = checked.find((each) => 'problem' in each);
	if (wrong) return invalid(`must be a list in which each entry ${wrong.problem}`);
	const text = plainText(raw);
	if (maybeSeveral.test(text)) return invalid(eitherWay(text, name));
	const values = checked.map((each) => (each as { value: string }).value);
	const isTidied = values.length < entries.length || trimmed.some((one, at) => one !== entries[at]);
	return valid(values, isTidied ? 'tidiedLists' : undefined);
}

const scalarReaders: Record<ScalarType, ScalarReader> = {
	text(raw, field, conventions) {
		const { isPath, isDate, example, choices } = field;
		const problem = isPath && pathProblem(plainText(raw), example as string);
		if (problem) return invalid(problem);
		// A checkbox gives true or false, which the service may accept in place of a choice.
		const given = choices && typeof raw === 'boolean' ? String(raw) : raw;
		const read = (isDate && readDate(raw, field, conventions)) || readTextValue(given);
		const isOther = 'value' in read && choices?.every(({ value }) => value !== read.value);
		return isOther ? valid(read.value, 'otherWords') : read;
	},
	dateTime: (raw, field, conventions) => readDate(raw, field, conventions)!,
	integer: readNumber,
	number: readNumber,
	boolean(raw) {
		if (typeof raw === 'boolean') return valid(raw);
		const text = plainText(raw).toLowerCase();
		// Spreadsheets write TRUE and FALSE, people Yes and No. The meaning of 1, 0, x and a blank is not guessed.
		if (/^(?:true|false)$/.test(text)) return valid(text === 'true');
		if (/^(?:yes|y|no|n)$/.test(text)) return valid(text.startsWith('y'), 'yesAndNo');
		return invalid('must be true or false');
	},
	uuid(raw) {
		const text = plainText(raw);
		if (uuidPattern.test(text)) return valid(text);
		return invalid('must be a UUID, such as 3f2504e0-4f89-41d3-9a0c-0305e82c3301');
	},
	textList: readTextList,
	object: readJson,
	objectList: readJson,
	choice: readChoices,
	choices: readChoices,
	header: readHeader,
	address: readAddress,
	file(raw) {
		if (typeof raw === 'string' || isObject(raw)) return valid(raw);
		return invalid(`must be the name of one binary field: for several files, ${adviceAllFiles}`);
	},
};

/** The raw value, short enough for a message. */
export function formatValue(raw: unknown): string {
	if (raw === '') return 'empty';
	const iso = isoOfObject(raw);
	if (iso !== undefined) return iso === '' ? 'an invalid date' : `a date (${iso})`;
	if (typeof raw === 'number') return String(raw);
	const text =
		orUndefined(() => JSON.stringify(raw) as string | undefined) ??
		(typeof raw === 'object' ? 'an object' : `a ${typeof raw}`);
	return text.length > 80 ? `${text.slice(0, 77)}…` : text;
}

const adviceFalse =
	"Some systems write false for an empty field: use {{ $json.x || '' }}, with the name of your column for x.";

/** @param raw the value from the form, the item or an expression; neither undefined nor null */
export const readScalar: ScalarReader = (raw, field, conventions) => {
	const isTyped = [raw].flat().some((one) => conventions.form.isTypedExpression(one));
	if (isTyped && !field.noDataExpression)
		return invalid("must be a value: set the field to 'Expression', so that n8n evaluates it");
	const isBoolean = [raw].flat().some((one) => typeof one === 'boolean');
	if (isBoolean && field.type !== 'boolean' && !field.choices)
		return { problem: 'must not be true or false', advice: adviceFalse };
	const isLong = typeof raw === 'string' && raw.length > maxValueCharacters;
	if (isLong && !freeTexts.includes(field.type))
		return invalid(`must have at most ${maxValueCharacters} characters`);
	return scalarReaders[field.type](raw, field, conventions);
};
