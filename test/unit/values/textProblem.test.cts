// Texts that no person intended are told from real ones: names of many languages, also in capitals and in quotes.
import { textProblem } from '../../../engine/values/textProblem';
import { names } from '../../harness/names.mts';

/** The text whose UTF-8 is read in a code page. */
const misread = (text: string, codePage: string) =>
	new TextDecoder(codePage).decode(new TextEncoder().encode(text));

const undamaged = expect.stringContaining('must have undamaged letters');

test('real names are no damaged text', () => {
	expect(names.length).toBeGreaterThan(10_000);
	const written = (name: string) => [name, `“${name}”`, `«${name}»`, `${name}’s … ${name}`];
	const formsOf = (name: string) =>
		[name, name.toUpperCase(), name.normalize('NFD')].flatMap(written);
	for (let at = 0; at < names.length; at += 60) {
		const text = names
			.slice(at, at + 20)
			.flatMap(formsOf)
			.join('\n');
		if (textProblem(text)) expect(text.split('\n').filter((one) => textProblem(one))).toEqual([]);
		expect(textProblem(text)).toBeUndefined();
	}
	for (const text of [
		'L’Écuyer',
		'“CAFÉ”',
		'JOSÉ’S',
		'Fuß–Weg',
		'Paris–Évian, Lyon–Évian',
		'┌─┐ └─┘',
	])
		expect([text, textProblem(text)]).toEqual([text, undefined]);
});

test('names whose UTF-8 was read as Windows-1252, or twice in another code page, are damaged', () => {
	const found = (name: string, codePage: string) => textProblem(misread(name, codePage));
	expect(names.filter((name) => found(name, 'windows-1252') === undefined)).toEqual([]);
	const latin = names.filter((name) => /^[\0-\u017f]*$/.test(name));
	const twice = latin.map((name) => `${name}, ${name}`);
	expect(twice.filter((name) => found(name, 'macintosh') === undefined)).toEqual([]);
});

test.each([
	'Engine\u00c2\u00a04',
	'ENGINE\u00c2\u00a04',
	'ðŸ”¥',
	'ZieliÅ„ski',
	'Ð˜Ð²Ð°Ð½',
	'â‚¬ 5',
	'ï»¿Name',
	'Maï¿½a',
	'“JosÃ©”',
	'St. Mary‚Äôs',
	'Jos√© Ni√±o',
	'St. MaryΓÇÖs',
	'caf├⌐ ni├▒o',
])('%s is damaged', (text) => expect(textProblem(text)).toEqual(undamaged));

test.each([
	['Invalid date', /an expression gave nothing/],
	['undefined undefined', /an expression gave nothing/],
	['null, null', /an expression gave nothing/],
	['(null)', /an expression gave nothing/],
	['NaN-NaN-NaN', /an expression gave nothing/],
	['NaN-NaN-NaNTNaN:NaN', /an expression gave nothing/],
	['Loading...', /still loading/],
	['#N/D', /a spreadsheet's error/],
	['#NV', /a spreadsheet's error/],
	['#¡VALOR!', /a spreadsheet's error/],
	['#¿NOMBRE?', /a spreadsheet's error/],
	['#ÜBERLAUF!', /a spreadsheet's error/],
	['="04"', /the text alone/],
	['{{station}}', /an expression was not filled in/],
	['{{ first }} {{ last }}', /an expression was not filled in/],
	['${station}', /an expression was not filled in/],
])('%s is certainly no value', (text, said) => expect(textProblem(text)).toMatch(said));

test.each([
	'Null Null',
	'Invalid date of birth given',
	'undefined hazard, null find',
	'#NVA',
	'#4/7',
	'Loading dock',
	'A = "04"',
	'Dear {{ name }}, welcome',
	'{4, 7}',
	'$5',
])('%s may be a value', (text) => expect(textProblem(text)).toBeUndefined());
