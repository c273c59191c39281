// Finds the columns of the input item that expressions read: `$json.rowID`, `$json["Start Date"]`.

/** Quotes may be escaped, since expressions stand in the JSON of the node. */
const reference =
	/\$(?:json|input\.item\.json)(?:\??\.([\p{L}_$][\p{L}\p{N}_$]*)|(?:\?\.)?\[\s*\\?(["'`])(.*?)\\?\2\s*\])/gu;

/** @returns the names of the columns, in the order in which they stand in the text */
export const columnsIn = (text: string): string[] =>
	[...text.matchAll(reference)].map(([, plain, , quoted]) => (plain ?? quoted)!);

/**
 * How an expression refers to the column that a field's value is from.
 * @param saved the field's value on the form, its expression not resolved
 * @returns the reference as it is written; undefined unless the expression reads one column and no other
 */
export function columnReference(saved: unknown): string | undefined {
	const text = typeof saved === 'string' ? saved : '';
	const references = new Set([...text.matchAll(reference)].map(([whole]) => whole));
	return references.size === 1 ? [...references][0] : undefined;
}
