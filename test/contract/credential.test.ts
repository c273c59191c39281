// The credential as a person fills it in: what is asked first, and what is said on the screen.
import { AgencyRecordsApi } from '../../credentials/AgencyRecordsApi.credentials';

const { properties } = new AgencyRecordsApi();
const shown = properties.filter(({ type }) => type !== 'hidden' && type !== 'notice');

test('what is needed by all stands first, what is rarely changed last', () => {
	expect(shown.map(({ displayName }) => displayName)).toEqual([
		'Base URL',
		'Subscription Key',
		'Grant Type',
		'Client ID',
		'Client Secret',
		'Username',
		'Password',
		'Redirect URI',
		'Authorization Header',
		'Set How the Service Works',
		'Filter Syntax',
		'Numbers in Filters',
		'Changes Since Format',
		'Archived Values',
		'Page Size',
		'Offset Counts From',
	]);
});

test.each(['apiKey', 'clientSecret', 'redirectUri'])(
	'what people get wrong is said on the screen, not only in a tooltip: %s',
	(name) => {
		const { hint, description } = shown.find((property) => property.name === name)!;
		expect(hint).toMatch(/^[A-Z].*[^.]$/);
		expect(hint).not.toBe(description);
	},
);

test('every setting has a word about it', () => {
	for (const { displayName, description } of shown) {
		expect([displayName, description]).toEqual([displayName, expect.stringMatching(/^[A-Z]/)]);
	}
});
