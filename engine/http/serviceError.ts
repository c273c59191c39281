// Tells the service's own error bodies from those of what stands before it: a gateway, a proxy, another application.
import { isObject, parseJson } from './json';

/**
 * Whether a body is an error that the service itself wrote, as the interface's part Errors shows them: an object with
 * `success` false, or with `errors`, a text or an object.
 */
export function isServiceError(text: string): boolean {
	const body = parseJson(text);
	if (!isObject(body)) return false;
	const { success, errors } = body;
	return success === false || typeof errors === 'string' || isObject(errors);
}
