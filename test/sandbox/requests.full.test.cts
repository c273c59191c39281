// Whatever a client sends, the sandbox responds as documented, never with 500, and created records are found under
// their IDs. SEED changes the requests, RUNS sets their number per kind.
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import axios from 'axios';
import fc from 'fast-check';

import { redirectUri } from '../../sandbox/accounts.mts';
import { publicDialects } from '../../sandbox/dialects.mts';
import {
	describedOperations,
	type DescribedOperation,
	type Schema,
} from '../../scripts/docs/openapi.mts';
import { keyHeader, signIn, tokenBody } from '../harness/client.mts';
import { useSandbox } from '../harness/useSandbox.cts';

// Making a failing request smaller takes long.
jest.setTimeout(600_000);

const options = { seed: Number(process.env.SEED ?? 1), numRuns: Number(process.env.RUNS ?? 300) };

type Any = fc.Arbitrary<unknown>;

const text = fc.oneof(
	fc.constantFrom('', ' ', '0', '-1', '0101', '0x65', '1.01e2', '1e309', '9'.repeat(30), '\0', '"'),
	fc.constantFrom('constructor', '__proto__', "'; DROP TABLE records; --", '🚒', '\ud800', '%00'),
	fc.string({ unit: 'binary', maxLength: 30 }),
);
const json = fc.jsonValue({ maxDepth: 3 });

/** Once in a while, something else. */
const mostly = (right: Any, odd: Any = text, times = 20): Any =>
	fc.oneof({ arbitrary: right, weight: times }, { arbitrary: odd, weight: 1 });

/** The right values of fields and parameters that only have a few. */
const known: Record<string, readonly unknown[]> = {
	...Object.fromEntries(Object.entries(tokenBody()).map(([name, value]) => [name, [value]])),
	response_type: ['code'],
	redirect_uri: [redirectUri],
	op: ['add', 'replace', 'remove'],
	path: ['/101', '/licenses/102', '/apparatus/103/maintenance'],
	rowVersion: ['00000000000007D1', '0000000000000000'],
	changesSince: ['2026-01-01', '2099-01-01T00:00:00Z'],
	showArchived: ['true', 'false', '1', '0'],
	limit: [0, 1, 500],
	offset: [0, 7, 500],
	orderby: ['rowNum', 'name DESC', 'incidentID desc', 'zip'],
	'date-time': ['2026-01-02T03:04:05Z'],
	uuid: ['3f2504e0-4f89-41d3-9a0c-0305e82c3301'],
};

/** Of up to three conditions, or of very many. */
const filter = mostly(
	fc
		.array(
			fc
				.tuple(
					fc.constantFrom('name', 'zip', 'archive', 'Code', 'incidentID', 'constructor'),
					fc.constantFrom('eq', 'ne', 'ge', 'gt', 'le', 'lt', 'and'),
					mostly(
						fc.constantFrom('2', '-1.5', '2026-01-02', '2026-01-02 03:04:05', '"x, \\"y\\""'),
						text,
					),
				)
				.map((words) => words.join(' ')),
			{ maxLength: 3 },
		)
		.map((conditions) => conditions.join(', ')),
	fc.constant(Array(1000).fill('name ne 1').join(',')),
);

const fieldsNear = (fields: Record<string, Any>, required: string[] = []): Any =>
	mostly(
		fc.record(fields, { requiredKeys: required }).map((record) => ({ ...record })),
		fc.dictionary(text, json, { maxKeys: 2 }),
	);

/** Values that a schema describes, or nearly so. */
function near({ type, format, properties = {}, required, items = {} }: Schema, name = ''): Any {
	const values = known[name] ?? known[format ?? ''];
	const fields = Object.entries(properties).map(([field, schema]) => [field, near(schema, field)]);
	const byType: Record<string, () => Any> = {
		object: () => fieldsNear(Object.fromEntries(fields) as Record<string, Any>, required),
		array: () => fc.array(near(items), { maxLength: 4 }),
		integer: () => fc.oneof(fc.integer(), fc.constant(101)),
		number: () => fc.double({ noNaN: true, noDefaultInfinity: true }),
		boolean: () => fc.boolean(),
		string: () => text,
	};
	const isKnown = values !== undefined && type !== 'array';
	const right = isKnown ? fc.constantFrom(...values) : byType[String(type)]?.();
	return right ? mostly(right, json, 40) : json;
}

interface Request {
	url: string;
	query: unknown;
	headers: object;
	body?: unknown;
}

const part = 'Content-Disposition: form-data; name="file"; filename="a.txt"';
const multipart = text.map((content) => `--x\r\n${part}\r\n\r\n${content}\r\n--x--\r\n`);

/** Half of a surrogate pair cannot be sent. */
const wellFormed = (given: unknown) => Buffer.from(String(given)).toString();

const textsIn = (value: unknown) =>
	Object.fromEntries(
		Object.entries((value ?? {}) as object).map(([name, given]) => [name, String(given)]),
	);

function requestsOf(operation: DescribedOperation, token: () => string): fc.Arbitrary<Request> {
	const [[mediaType = 'application/json', schema] = []] = Object.entries(operation.bodies);
	const isFile = mediaType.startsWith('multipart');
	const written = (value: unknown) =>
		mediaType.endsWith('json')
			? JSON.stringify(value)
			: String(new URLSearchParams(textsIn(value)));
	const body = isFile ? multipart : near(schema ?? {}).map(written);
	const query = operation.parameters
		.filter((parameter) => parameter.in === 'query')
		.map(({ name }) => [name, name === 'filter' ? filter : near({}, name)] as const);
	const type = isFile ? `${mediaType}; boundary=x` : mediaType;
	const ids = fc.infiniteStream(mostly(fc.constantFrom('101', '101', '102'), text));
	return fc.record({
		url: ids.map((values) =>
			operation.request
				.split(' ')[1]!
				.replace(/\{\w+\}/g, () => encodeURIComponent(wellFormed(values.next().value))),
		),
		query: fieldsNear(Object.fromEntries(query)),
		headers: fc
			.record({
				Authorization: mostly(fc.constant(undefined), fc.constant('wrong')),
				'Content-Type': mostly(fc.constant(type), fc.constantFrom('text/plain', '')),
				ETag: fc.constantFrom('', '00000000000007D1'),
			})
			.map((own) => ({ ...keyHeader, ...own, Authorization: own.Authorization ?? token() })),
		body: schema ? mostly(body, text) : fc.constant(undefined),
	});
}

async function send(baseURL: string, method: string, { url, query, headers, body }: Request) {
	const params = new URLSearchParams(query as Record<string, string>);
	const {
		status,
		data,
		headers: received,
	} = await axios.request<string>({
		baseURL,
		method,
		url,
		params,
		headers: { ...headers },
		data: body,
		transformRequest: (sent: unknown) => sent,
		responseType: 'text',
		transformResponse: (content: unknown) => content,
		validateStatus: () => true,
	});
	const isJson = String(received['content-type']).includes('json');
	return { status, body: isJson ? (JSON.parse(data) as unknown) : data || undefined };
}

const ajv = addFormats(new Ajv2020({ strict: false }));

/** Checks that a body has exactly what a schema describes. */
function checkOf(schema?: Schema): (body: unknown) => boolean {
	if (!schema) return (body) => body === undefined;
	return ajv.compile(
		JSON.parse(JSON.stringify(schema), (_, inner: Schema | null) =>
			inner?.properties ? { ...inner, additionalProperties: false } : inner,
		) as object,
	);
}

/** Without a code or a token from elsewhere, there's nothing to exchange. */
const alwaysRefused = ['codeToken', 'refreshToken'];

describe('an operation responds as documented:', () => {
	const sandbox = useSandbox();
	let token = '';
	beforeAll(async () => void (token = await signIn(sandbox.url)));

	const named = describedOperations.map((operation) => [operation.operationId, operation] as const);
	test.each(named)('%s', async (operationId, operation) => {
		const [method = ''] = operation.request.split(' ');
		const checks = new Map(
			operation.responses.map((response) => [response.status, checkOf(response.schema)]),
		);
		const ids = new Set<unknown>();
		let successes = 0;
		const property = async (request: Request) => {
			const { status, body } = await send(sandbox.url, method, request);
			expect([status, body, checks.get(status)?.(body)]).toEqual([status, body, true]);
			if (status < 300) successes++;
			if (status !== 201 || body === undefined) return;
			const id = Object.values(body as object).at(-1) as unknown;
			expect(ids).not.toContain(id);
			ids.add(id);
		};
		const requests = requestsOf(operation, () => token);
		await fc.assert(fc.asyncProperty(requests, property), options);
		expect(successes > 0).toBe(!alwaysRefused.includes(operationId));
	});
});

describe('a service like the one in the public record', () => {
	const sandbox = useSandbox({ dialects: publicDialects });
	let headers: Record<string, string>;
	beforeAll(async () => {
		const Authorization = await signIn(sandbox.url);
		headers = { ...keyHeader, Authorization, 'Content-Type': 'application/json' };
	});
	const call = (method: string, url: string, body?: string, query: unknown = {}) =>
		send(sandbox.url, method, { url, query, headers, body });

	/** By path: the kind of the records, their list, and the field of their ID. */
	const lists = [
		['/agencyincidents/incidents', 'incident', 'incidents', 'incidentID'],
		['/agencyincidents/incidents/102/exposures', 'exposure', 'exposures', 'exposureID'],
		['/agencyevents/events', 'event', 'events', 'eventsID'],
		['/agencynotifications/notification', 'notification', 'notification', 'notificationID'],
		['/agencyusers/users', 'user', 'users', 'userID'],
	] as const;
	const fields = [...lists.map(([, , , idField]) => idField), 'rowVersion', 'rowNum', 'archive'];
	const record = fc.dictionary(fc.oneof(fc.constantFrom(...fields), text), json, { maxKeys: 5 });
	const change = near({
		type: 'object',
		required: ['op', 'path', 'value'],
		properties: { op: {}, path: {}, value: {} },
	});
	const paths = fc.constantFrom('/name', '/incidentID', '/rowVersion', '/a/b', 'name');
	const changes = fc.array(
		fc.tuple(change, paths).map(([all, path]) => ({ ...(all as object), path })),
	);
	const bodies = mostly(fc.oneof(record, changes), json).map((value) => JSON.stringify(value));

	test('has every record under its ID, even after a change', async () => {
		let patches = 0;
		const property = async (
			[url, kind, key, idField]: (typeof lists)[number],
			created: string,
			changed: string,
			query: unknown,
		) => {
			const { status, body } = await call('POST', url, created);
			expect([created.startsWith('{') ? 201 : 400, 400]).toContain(status);
			expect([200, 400]).toContain((await call('GET', url, undefined, query)).status);
			if (status !== 201) return;
			const { [idField]: id } = body as Record<string, string>;
			const isThere = async () => {
				const one = await call('GET', `${url}/${id}`);
				expect(one).toMatchObject({ status: 200, body: { [kind]: { [idField]: id } } });
				const found = await call('GET', url, undefined, { filter: `${idField} eq ${id}` });
				const rows = [{ rowNum: '1', [idField]: id }];
				expect(found).toMatchObject({ status: 200, body: { totalRows: '1', [key]: rows } });
			};
			await isThere();
			const patched = await call('PATCH', `${url}/${id}`, changed);
			expect([200, 400]).toContain(patched.status);
			if (patched.status === 200) patches++;
			await isThere();
		};
		const listing = describedOperations.find(({ operationId }) => operationId === 'listVendors')!;
		const queries = requestsOf(listing, () => '').map(({ query }) => query);
		const some = fc.constantFrom(...lists);
		await fc.assert(fc.asyncProperty(some, bodies, bodies, queries, property), options);
		expect(patches).toBeGreaterThan(0);
	});
});
