// What people learn from a firewall's page, and that a file or a request was too large, however a server says so.
import { useVirtualTime } from '../../harness/virtualTime.cts';
import { useCannedService, type Given, type Name } from './cannedService.cts';

useVirtualTime({ skipsPauses: true });
const service = useCannedService();

async function failureOf(name: Name, given: Given, fileBytes?: number) {
	const { json } = await service.run(name, given, { ...(fileBytes && { fileBytes }) });
	const { message, error } = json[0] as {
		message: string;
		error: { outcome: string; advice: string };
	};
	return { message, ...error };
}

/** As these products show them: an F5 BIG-IP, Akamai, Cloudflare, Imperva, CloudFront, Fortinet. */
const pages: Array<[status: number, page: string, words: string]> = [
	[
		200,
		'<html><head><title>Request Rejected</title></head><body>The requested URL was rejected. Please consult with your administrator.<br><br>Your support ID is: 7381203912371231<br><br><a href="javascript:history.back();">[Go Back]</a></body></html>',
		'a web page: Request Rejected; Your support ID is: 7381203912371231; if other rows pass, a firewall',
	],
	[
		403,
		'<HTML><HEAD>\n<TITLE>Access Denied</TITLE>\n</HEAD><BODY>\n<H1>Access Denied</H1>\n\nYou don\'t have permission to access "http&#58;&#47;&#47;a" on this server.<P>\nReference&#32;&#35;18&#46;4a8c4317&#46;1700000000&#46;abc\n</BODY>\n</HTML>',
		'Access Denied; Reference #18.4a8c4317.1700000000.abc); if other rows pass',
	],
	[
		403,
		'<!DOCTYPE html><html><head><title>Attention Required! | Cloudflare</title><script>var id = 5;</script><style>#ID5 { top: 1px }</style></head><body><div><p>Cloudflare Ray\n<span>ID:</span> <strong class="b">8a1b2c</strong></p></div></body></html>',
		'Attention Required! | Cloudflare; Cloudflare Ray ID: 8a1b2c); if other rows pass',
	],
	[
		403,
		'<html><body>Request unsuccessful. Incapsula incident ID: 457000-12</body></html>',
		'(a web page: Request unsuccessful. Incapsula incident ID: 457000-12); if',
	],
	[
		403,
		'<html><head><title>ERROR: The request could not be satisfied</title></head><body><pre>Request ID: Qx1==</pre></body>',
		'ERROR: The request could not be satisfied; Request ID: Qx1==); if',
	],
	[
		403,
		'<html><body><table><tr><td>Attack ID:</td><td>20000051</td></tr><tr><td>Message ID: 1</td></tr></table>',
		'(a web page: Attack ID:; Message ID: 1); if',
	],
	[404, '<html><head><title>404 Not Found</title></head></html>', '(a web page: 404 Not Found))'],
	[403, '<html>No', "(a web page: No); if other rows pass, a firewall may object to this row's"],
];

test.each(pages)('a page of status %d: first line and references', async (status, body, words) => {
	expect((await failureOf('create', { status, body })).message).toContain(words);
	// These have no values of a row.
	for (const name of ['get', 'archive'] as const)
		expect((await failureOf(name, { status, body })).message).not.toMatch(/if other rows/);
});

test('a page cannot make a message long or slow, nor reveal a secret', async () => {
	const many = (text: string) => text.repeat(Math.ceil(64_000 / text.length));
	for (const text of ['<', '<script', '<a', '<title>', 'Ref 1<br>', '&#', ' ', 'ID 1 '].map(many))
		for (const status of [200, 403]) {
			const startedAt = process.hrtime.bigint();
			const { message } = await failureOf('create', { status, body: `<html>${text}` });
			expect(message.length).toBeLessThan(900);
			expect(Number(process.hrtime.bigint() - startedAt) / 1e9).toBeLessThan(5);
		}
	for (const secret of [
		'fake-access-token-1',
		'fake-<b>access</b>-token-1',
		'fake&#45;access-token-1',
	]) {
		const body = `<html><title>${secret}</title>Ref 1: ${secret}`;
		for (const status of [200, 403]) {
			const { message } = await failureOf('create', { status, body });
			expect(message).toMatch(/a web page: \*\*\*; Ref 1: \*\*\*|not quoted/);
		}
	}
});

const php =
	'<br />\n<b>Warning</b>:  POST Content-Length of 41943226 bytes exceeds the limit of 8388608 bytes in <b>Unknown</b> on line <b>0</b><br />\n';
const required = '{"errors":{"validationErrors":[{"field":"file","message":"is required"}]}}';
const iis =
	'<!DOCTYPE html><html><head><title>IIS 10.0 Detailed Error - 404.13 - Not Found</title></head><body><p>The request filtering module is configured to deny a request that exceeds the request content length.</p></body></html>';

describe('a file that is too large', () => {
	test.each<[string, Given, number, RegExp]>([
		['413', { status: 413, body: '' }, 2000, /413; the file \(2,000 bytes\) may be too large$/],
		[
			'IIS',
			{ status: 404, body: iis },
			2000,
			/\(a web page: IIS 10\.0 .*404\.13 - Not Found\); the file \(2,000 bytes\) may be too large/,
		],
		[
			'IIS, from afar',
			{ status: 404, body: '<html><title>404 - File or directory not found.</title>' },
			2_000_000,
			/not found\.\); the file \(2,000,000 bytes\) may be too large/,
		],
		[
			'ASP.NET',
			{ status: 400, body: { message: 'Multipart body length limit 16384 exceeded.' } },
			20_000,
			/16384 exceeded\."\}; the file \(20,000 bytes\) may be too large$/,
		],
		[
			'Kestrel',
			{ status: 400, body: 'Request body is too large' },
			20_000,
			/Request body is too large; the file \(20,000 bytes\) may be too large$/,
		],
		[
			'PHP, which warns',
			{ status: 400, body: php + required },
			20_000,
			/^The service returned status 400: file.*: is required; Warning: POST Content-Length of 41943226 bytes exceeds the limit of 8388608 bytes in Unknown on line 0; the file \(20,000 bytes\) may be too large$/,
		],
		[
			'PHP, which does not',
			{ status: 400, body: required },
			2_000_000,
			/^The service refused the values: file.*: is required; the file \(2,000,000 bytes\) may be too large$/,
		],
	])('%s: the message says so, with its size', async (_, given, bytes, message) => {
		const failure = await failureOf('upload', given, bytes);
		const said =
			failure.outcome === 'inDoubt'
				? failure.message.replace(/^May .*?\(|\)$/g, '')
				: failure.message;
		expect(said).toMatch(message);
		if (failure.outcome !== 'inDoubt' && bytes < 1_000_000)
			expect(failure.advice).toMatch(/^The request is too large/);
	});

	test('a smaller one is not blamed, nor what cannot depend on it', async () => {
		expect((await failureOf('upload', { status: 400, body: required }, 900_000)).message).toMatch(
			/is required$/,
		);
		const denied = { status: 403, body: { errors: { permissionErrors: ['no files'] } } };
		expect((await failureOf('upload', denied, 2_000_000)).message).toMatch(/no files$/);
		expect((await failureOf('upload', { status: 429, body: '' }, 2_000_000)).message).not.toMatch(
			/too large/,
		);
	});

	const notWhole = /expected a file of 20000 bytes, as was sent, [^]*Warning/;
	test.each([
		[undefined, 'inDoubt', notWhole],
		[0, 'inDoubt', notWhole],
		[20_000, 'unreadable', /Warning/],
	])('201 with the size %j beside such a warning is %s', async (fileSize, outcome, message) => {
		const body = php + JSON.stringify({ fileGUID: 'b6f8', fileSize });
		const failure = await failureOf('upload', { status: 201, body }, 20_000);
		expect(failure).toMatchObject({ outcome, message: expect.stringMatching(message) });
	});
});

test("a batch or a record that is too large: the advice says so, but not for a field's length", async () => {
	const body = 'Request body is too large';
	for (const name of ['bulk', 'create'] as const)
		expect((await failureOf(name, { status: 400, body })).advice).toMatch(/lower 'Batch Size'/);
	const validationErrors = [{ field: 'name', message: 'content exceeds the size limit' }];
	const said = await failureOf('create', { status: 400, body: { errors: { validationErrors } } });
	expect(said.advice).toMatch(/^Correct the values/);
});
