// The raw value of a field, from the form, the item or an expression, before it is checked.
import { isObject } from '../http/json';

export const isUnset = (raw: unknown): raw is undefined | null => raw === undefined || raw === null;

/**
 * A date object from an expression as ISO 8601 with its offset: a Date or a luxon DateTime. It may come from another
 * copy of luxon, since n8n's expressions have their own, so `instanceof` would not do
 * (https://github.com/moment/luxon/issues/741).
 * @returns '' if it is invalid or outside the years 1000 to 9999; undefined for anything but a date object
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
 * An object's value by name: undefined if the name is absent, null if it has no value. n8n keeps the name of an added
 * field even if the field's expression returns undefined (n8n 2.41).
 */
export const ownValue = (object: object, name: string): unknown =>
	Object.hasOwn(object, name) ? ((object as Record<string, unknown>)[name] ?? null) : undefined;
