// The redirect address, from which the one-time code is read. Any other is tried by test/faults/fuzz.full.test.ts.
import { codeFromRedirect } from '../../../engine/auth/grants';
import { settingsOf } from '../../../engine/auth/accountSettings';

const context = {
	httpRequest: jest.fn(),
	settings: settingsOf({ baseUrl: 'https://a.example' }),
	secrets: [],
};
const address = 'https://app.example/cb?code=a%2Fb&state=s1';

test.each([
	address,
	`"${address}"`,
	`  ${address}\n`,
	JSON.stringify(address).replace(/\//g, '\\/'),
])('%s gives the code', (answer) => {
	expect(codeFromRedirect(answer, 's1', context)).toBe('a/b');
});

test.each([
	['https://app.example/cb?code=c&state=s2', /state differs/],
	['https://app.example/cb?code=c', /state differs/],
	['https://app.example/cb?state=s1', /not a redirect address/],
	['{}', /not a redirect address/],
	[
		'https://app.example/cb?error=access_denied&error_description=Not+today&state=s1',
		/^Sign-in was refused: Not today$/,
	],
])('%s is refused', (answer, message) => {
	expect(() => codeFromRedirect(answer, 's1', context)).toThrow(message);
});
