// Checks an address given by a person. It is appended to the Base URL as is, so it must not lead elsewhere; and an
// expression without a result must not turn a request for one record into one for all records.
import type { ScalarField } from '../area';
import { orUndefined } from '../http/json';
import { invalid, valid, type CheckedValue } from './checkedValue';
import { plainText } from './rawValue';
import { textProblem } from './textProblem';

/** The text after percent-decoding, as a service reads it; the text itself if it cannot be decoded. */
export const decoded = (text: string) => orUndefined(() => decodeURIComponent(text)) ?? text;

/** What documentation has in place of a value: `{id}`, `<id>`, `:id`. */
const placeholder = /^(?:\{.*\}|<.*>|:[a-z]\w*)$/i;

const blank = /^[\s\p{Cf}]*$/u;

/** The dot segments "." and ".." (RFC 3986 §5.2.4). */
const dotSegment = /(?:^|[/\\])\.{1,2}(?:[/\\]|$)/;

/** The operations that issue tokens to the credential: through a node, the tokens would end up in its output. */
const signInPath = /^\/(?:auth(?:pass|token)?|refreshtoken)\//i;

const shape =
	'must begin with one / and have no . or .. as a part, no #, \\, space (%20 is one) or invisible character';

/** The names and values of an address's query. A part without `=`, a flag, is a value without a name. */
export const queryOf = (address: string): Array<readonly [name: string, value: string]> => {
	const at = address.indexOf('?') + 1;
	const pairs = at === 0 ? [] : address.slice(at).replaceAll('+', ' ').split('&');
	return pairs.map((pair) => {
		const [, name = '', value = pair] = /^([^=]*)=(.*)$/.exec(pair) ?? [];
		return [decoded(name), decoded(value)];
	});
};

/** @param field its `mayBeEmpty` allows empty values in the query */
export function readAddress(raw: unknown, { mayBeEmpty }: ScalarField): CheckedValue {
	const text = plainText(raw);
	const [path = ''] = text.split('?');
	const parts = path.slice(1).split('/').map(decoded);
	const missingAt = (place: string, value: string, isOptional = false) => {
		if (blank.test(value)) return isOptional ? undefined : `${place}, which is empty`;
		return (placeholder.test(value) || textProblem(value)) && `${place}, which is ${value}`;
	};
	const missing = [
		...parts.map((part, n) => missingAt(`as part ${n + 1}`, part)),
		...queryOf(text).map(([name, value]) =>
			missingAt(name ? `for '${name}'` : 'after ?', value, mayBeEmpty),
		),
	].find(Boolean);
	const isLegal = /^\/[^\s\\#\p{Cc}\p{Cf}]*$/u.test(text) && !dotSegment.test(parts.join('/'));
	if (signInPath.test(decoded(path))) return invalid('must not sign in: the credential does that');
	if (text.startsWith('/') && missing) return invalid(`must have a value ${missing}`);
	return isLegal ? valid(text) : invalid(shape);
}
