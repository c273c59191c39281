// What the form, the item or an expression gives for a field, before it is checked.
import { isObject } from '../http/json';

/** What an expression gave that found nothing: an empty cell gives '' or null. */
export class Unresolved {
	constructor(readonly expression: string) {}
}

export const isUnset = (raw: unknown): raw is undefined | null | Unresolved =>
	raw === undefined || raw === null || raw instanceof Unresolved;

/**
 * A date object from an expression as ISO 8601 with its offset: a Date, or a luxon DateTime, also one from another copy of
 * luxon, since n8n's expressions bring their own.
 * @returns '' for one that is invalid or not of the years 1000 to 9999, undefined for anything that is no date object
 */
export function isoOfObject(raw: unknown): string | undefined {
	const isDate = Object.prototype.toString.call(raw) === '[object Date]';
	if (!isDate && !(isObject(raw) && 'isLuxonDateTime' in raw)) return undefined;
	const iso = (raw as Date).toJSON();
	return /^[1-9]\d{3}-/.test(iso) ? iso : '';
}

/** A text or a number as text, without spaces around it; '' for anything else. */
export const plainText = (raw: unknown): string =>
	typeof raw === 'string' || typeof raw === 'number' ? String(raw).trim() : '';

/**
 * The value under a name of an object: undefined when the name is absent, null when it is there without a value. n8n
 * keeps the name of a field that was added even when the field's expression gives undefined.
 */
export const ownValue = (object: object, name: string): unknown =>
	Object.hasOwn(object, name) ? ((object as Record<string, unknown>)[name] ?? null) : undefined;
