// Names of the interface → words of the form.

/**
 * `stationNumber` → "Station Number", `IrwinID` → "Irwin ID", `userID` → "User ID".
 * @param name a field name of the interface
 */
export function humanize(name: string): string {
	const words = name
		.replace(/[._]+/g, ' ')
		.replace(/([a-z\d])([A-Z])/g, '$1 $2')
		.replace(/([A-Z])([A-Z][a-z])/g, '$1 $2');
	return words.charAt(0).toUpperCase() + words.slice(1);
}

/**
 * The name of a field's parameter on the form: n8n reads a dot as a path.
 * @param name a field name of the interface, such as `dAgency.05`
 */
export const formName = (name: string): string => name.replaceAll('.', '_');

/** The label a field has on the form; problems name it so too. */
export const labelOf = (field: { name: string; label?: string }): string =>
	field.label ?? humanize(field.name);
