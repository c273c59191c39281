// Every operation against services with other dialects, alone and mixed: the node's claim is compared with the
// service's writes, and its output with the output for the default dialects.
import { isDeepStrictEqual } from 'node:util';

import { defaultDialects, dialectNames, waysOf, type Dialects } from '../../sandbox/dialects.mts';
import { randomDialects } from '../harness/randomDialects.cts';
import { runNode, type RunResult } from '../harness/run.cts';
import { useSandbox, withPageSize } from '../harness/useSandbox.cts';
import { useVirtualTime } from '../harness/virtualTime.cts';
import {
	countWrites,
	exampleOperation,
	exampleOperations,
	type ExampleOperation,
} from './operations.cts';

const list = (name: string, parameters: object): ExampleOperation => ({
	...exampleOperation('listVendors'),
	name,
	parameters: { returnAll: true, ...parameters },
});
const filtered = (filter: string) => ({ filters: { filter } });

const operations: ExampleOperation[] = [
	...exampleOperations,
	list('all vendors', { output: 'raw' }),
	list('vendors of a ZIP code', filtered('zip eq 16780')),
	list('no vendors', filtered('name eq "nobody"')),
	list('vendors that changed', { filters: { changesSince: '2020-01-01T00:00:00Z' } }),
	list('archived vendors too', { filters: { showArchived: true } }),
];

/** Acceptable messages instead of a success: they name the right setting, or what the service left out. */
const mayBeSaid: { [Name in keyof Dialects]?: Partial<Record<Dialects[Name], RegExp>> } = {
	authorizationHeader: { bearer: /'Authorization Header'/ },
	largestPage: { refusedAbove50: /'Page Size'/, refusedAbove25: /'Page Size'/ },
	// A record exists without a known ID, and a bulk patch's paths without a report. If no body is documented, another
	// status alone proves nothing.
	success: {
		noContent: /the response is empty|accepted the request/,
		ok: /expected status 20\d with nothing/,
		created: /expected status 20\d with nothing/,
	},
	// Text next to the data may say anything; in front of null or true, it hides that no data was expected.
	notice: { php: /with other text around its data|with nothing or a JSON object/ },
};

const mayBeSaidIn = (dialects: Dialects): RegExp[] =>
	dialectNames.flatMap(
		(name) => (mayBeSaid[name] as Record<string, RegExp> | undefined)?.[dialects[name]] ?? [],
	);

/** Fields whose value differs each time. */
const isNew = (name: string): boolean => /(ID|GUID)$|^file(LastModified|Created)$/.test(name);

/** The rows, where the API spec shows a body. If all values are text, a missing one is null. */
const comparable = ({ json }: RunResult, { name }: ExampleOperation): unknown[] =>
	json.map((row) =>
		name === 'patchClassStudents'
			? []
			: Object.entries(row).map(([name, value]) => [name, isNew(name) || (value ?? '')]),
	);

const firstDifference = (rows: unknown[], expected: unknown[]): string => {
	const at = rows.findIndex((row, index) => !isDeepStrictEqual(row, expected[index]));
	if (at < 0) return `${rows.length} rows for ${expected.length}`;
	const [row, expectedRow] = [rows[at], expected[at] ?? []].map((fields) => fields as unknown[]);
	const values = (of: unknown[], others: unknown[]) =>
		JSON.stringify(of.filter((field, index) => !isDeepStrictEqual(field, others[index])));
	return `row ${at}: ${values(row!, expectedRow!)} for ${values(expectedRow!, row!)}`;
};

/** @returns the error's outcome, if an item has it, and the text for people */
function errorOf({ json, error }: RunResult) {
	if (error) return { outcome: undefined, text: `${error.message} ${error.description}` };
	const failed = json.find((row) => 'error' in row);
	if (!failed) return undefined;
	const { outcome, advice } = failed.error as { outcome: string; advice?: string };
	return { outcome, text: `${failed.message as string} ${advice}` };
}

useVirtualTime({ skipsPauses: true });
const sandbox = useSandbox();
const own = new Map<ExampleOperation, { rows: unknown[]; writes: number }>();
let writes = { count: 0 };

async function run({ node, parameters, items }: ExampleOperation) {
	writes.count = 0;
	const result = await runNode({
		node,
		parameters,
		items,
		// If the service counts the page's rows, only a full page is followed by another.
		credentials: sandbox.credentials(sandbox.dialects.totalRows === 'page' ? withPageSize(25) : {}),
		nodeSettings: { onError: 'continueRegularOutput' },
	});
	return { result, written: writes.count };
}

beforeAll(async () => {
	writes = countWrites(sandbox);
	sandbox.records.insert('vendor', { name: 'Müller & Söhne, 5 €', zip: 16780, notes: '12' });
	for (const operation of operations) {
		const { result, written } = await run(operation);
		expect([operation.name, errorOf(result)]).toEqual([operation.name, undefined]);
		own.set(operation, { rows: comparable(result, operation), writes: written });
	}
});
afterEach(() => void Object.assign(sandbox.dialects, defaultDialects));

/** @returns a false success, a false alarm, or a loss; undefined if all is well */
async function problemOf(operation: ExampleOperation): Promise<string | undefined> {
	const { result, written } = await run(operation);
	const expected = own.get(operation)!;
	const error = errorOf(result);
	if (!error) {
		if (written !== expected.writes) return `false success: ${written} writes`;
		const rows = comparable(result, operation);
		return isDeepStrictEqual(rows, expected.rows)
			? undefined
			: `wrong data: ${firstDifference(rows, expected.rows)}`;
	}
	const { outcome, text } = error;
	if (written > 0 && outcome !== 'unreadable' && outcome !== 'inDoubt') return `lost: ${text}`;
	const isAllowed = mayBeSaidIn(sandbox.dialects).some((pattern) => pattern.test(text));
	return isAllowed ? undefined : `false alarm: ${text}`;
}

const alone = dialectNames.flatMap((name) =>
	waysOf(name).map((way) => [`${name}=${way}`, { [name]: way }] as const),
);
/** A used-up quota ends a run, which the gateway's tests show. */
const mixed = dialectNames.filter((name) => name !== 'quota');
const mixtures = Array.from(
	{ length: Number(process.env.MIXTURES ?? 100) },
	(_, seed) => [`mixture ${seed}`, randomDialects(seed, 0.15, mixed)] as const,
);

test.each([...alone, ...mixtures])('%s', async (_, dialects) => {
	Object.assign(sandbox.dialects, dialects);
	const problems: Record<string, string> = {};
	for (const operation of operations) {
		const problem = await problemOf(operation);
		if (problem) problems[operation.name] = problem;
	}
	expect(problems).toEqual({});
});
