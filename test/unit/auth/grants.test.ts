import { codeFromRedirect } from '../../../engine/auth/grants';
import { settingsOf } from '../../../engine/auth/accountSettings';

describe('the redirect address', () => {
	const settings = settingsOf({ baseUrl: 'https://a.example' });
	const address = 'https://app.example/cb?code=a%2Fb&state=s1';

	test.each([
		address,
		`"${address}"`,
		`  ${address}\n`,
		JSON.stringify(address).replace(/\//g, '\\/'),
	])('%s gives the code', (answer) => {
		expect(codeFromRedirect(answer, 's1', settings)).toBe('a/b');
	});

	test('another state is refused', () => {
		expect(() => codeFromRedirect(address, 's2', settings)).toThrow(/state differs/);
		expect(() => codeFromRedirect('https://app.example/cb?code=c', 's1', settings)).toThrow(
			/state differs/,
		);
	});

	test.each(['', 'hello', '{}', '[]', '<html>', 'https://app.example/cb?state=s1', '"', 'null'])(
		'%j holds no code',
		(answer) => {
			expect(() => codeFromRedirect(answer, 's1', settings)).toThrow(/not a redirect address/);
		},
	);

	test('an error in it is read out', () => {
		const refused =
			'https://app.example/cb?error=access_denied&error_description=Not+today&state=s1';
		expect(() => codeFromRedirect(refused, 's1', settings)).toThrow(
			'Sign-in was refused: Not today',
		);
	});
});
