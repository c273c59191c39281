// A station's sheet for next week, as the pictures show it.
const days = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];

/** With columns named by the station. */
export const sheet = days.map((day, n) => ({
	Shift: `${'ABC'[n % 3]} shift, ${day}`,
	Begins: `2026-03-0${n + 2}T07:00:00`,
	Ends: `2026-03-0${n + 3}T07:00:00`,
	Station: '4',
}));

/** The same, with one end as spreadsheets like to write it. */
export const sheetWithMistake = sheet.map((row, n) =>
	n === 3 ? { ...row, Ends: '3/6/2026 7:00 AM' } : row,
);

/** Another sheet, with the units. */
export const mileage = [48_210, 61_877, 9304].map((Miles, n) => ({
	Unit: 12 + n,
	Miles,
	rowID: `2026-09-${12 + n}`,
}));
