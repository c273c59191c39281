// Tokens and codes issued by the service, in whichever response, never appear in a message or a saved execution.
import { readShifts } from '../../harness/readShifts.cts';
import { startFakeService } from '../../harness/server.cts';
import { credentialsFor } from '../../harness/useSandbox.cts';
import { useVirtualTime } from '../../harness/virtualTime.cts';

useVirtualTime({ skipsPauses: true });

const json = JSON.stringify;
const [access, refresh, code] = ['aToken1/of+é "x', 'rToken2 of-issue', 'one-time-code'];
const token = { access_token: access, token_type: 'Bearer', refresh_token: refresh };
const asForm = new URLSearchParams(token).toString();
const redirectWith = (state: string) =>
	`https://app.agency.example/callback?${new URLSearchParams({ code, state }).toString()}`;
const redirect = redirectWith('other');
/** As json_encode() of PHP writes it. */
const php = (value: unknown) => json(value).replaceAll('/', '\\/').replaceAll('é', '\\u00e9');

const paths = ['/auth/Authorize.php', '/authtoken/Token.php', '/authpass/Token.php'];
/** Runs against a service with the given response to one path, and normal responses before it. */
const run = async (path: string, status: number, body: string) => {
	const service = await startFakeService(({ url }, response, sent) => {
		if (url === path) return response.writeHead(status, { location: redirect }).end(body);
		if (url!.includes('Token')) return response.end(json({ ...token, access_token: 'aToken3' }));
		response.end(redirectWith((JSON.parse(sent) as { state: string }).state));
	}, false);
	const grantType = path.includes('pass') ? 'password' : 'authorizationCode';
	const { error, saved } = await readShifts(credentialsFor(service.url, { grantType }), 1);
	expect(`${error?.message} ${saved}`).not.toMatch(/[ar]Token\d|of.{1,6}"x|of-issue|one-time/);
	return error?.message;
};

test.each([
	['the response of a success', json(token)],
	['beside an error', php({ error: 'x', error_description: `${access}, ${refresh}`, ...token })],
	['as a message', json({ message: php(token) })],
	['as a message in JSON in JSON', json({ errors: json({ more: json(token) }) })],
	['a form as a message', json({ detail: asForm })],
	['in lists and objects', json({ errors: { all: [access] }, data: [{ Access_Token: [access] }] })],
	['a code in an object', json({ errors: 'No one-timer', code: { value: 'one-timer' } })],
	['after a notice', `<b>Notice</b>: Undefined index\n${json(token)}`],
	['JSON that broke off', json({ error: 'x', ...token }).slice(0, -5)],
	['a form', asForm],
	['a part of a page', `<input name="code" value="${code}">`],
	['as PHP prints it', `array(1) { ["access_token"]=> string(14) "${access}" }`],
	['the redirect', redirect],
	['the redirect in JSON', php(redirect)],
	['the redirect in a message', json({ message: `Cannot redirect to ${redirect}` })],
	['the redirect in a link', json({ error: `<a href="${redirect.replace('&', '&amp;')}">x</a>` })],
	['the redirect in a query', json({ error: `goto=${encodeURIComponent(redirect)}&x=${code}` })],
	['a redirect in a redirect', json({ error: `return=${encodeURIComponent(redirect)}` })],
	['a redirect in two', json({ error: encodeURIComponent(`a=${encodeURIComponent(redirect)}`) })],
	['an ID token', json({ error: 'one-time-id', id_token: 'one-time-id' })],
	['the code of the header', json({ errors: `The code ${code} is used up` })],
])('in a failed response: %s', async (_, body) => {
	for (const path of paths) await run(path, 400, body);
});

test.each([302, 404, 500, 503])('in a response with status %d', async (status) => {
	for (const path of paths)
		for (const body of [json({ message: php(token) }), asForm, php(redirect)])
			await run(path, status, body);
});

test('a nested redirect: the code alone, or as numeric HTML entities', async () => {
	const inner = encodeURIComponent('https://client.example/cb?code=inner-code&state=1');
	for (const address of [inner, encodeURIComponent(inner)]) {
		const body = json({ errors: [`No inner-code at /login?return=${address}&x=1`] });
		expect(await run('/authpass/Token.php', 400, body)).not.toMatch(/inner.code/);
	}
	const html = 'a.Token1&#x2F;of&#x2B;&#xE9; x';
	const message = json({ access_token: 'a.Token1/of+\u00e9 x', error: `Not ${html}` });
	expect(await run('/authpass/Token.php', 400, message)).toContain('(not quoted,');
});

test('in a refusal of the code, and in a refusal of a later request', async () => {
	const refusal = json({ errors: `Not ${code}.` });
	expect(await run('/authtoken/Token.php', 400, refusal)).toContain('Not ***.');
	const later = json({ errors: `Not ${code}, ${refresh}, aToken3` });
	expect(await run('/agencyshifts/shifts/101', 400, later)).toContain('Not ***, ***, ***');
});
