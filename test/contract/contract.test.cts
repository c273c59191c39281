// Compares the tables, as laid out on the forms, with sandbox/openapi.yaml in both directions: each field of the
// document has one place on the form, and there is no other field.
import { responseFields, bodyFields, parameterFields, serviceOperations } from './openapi.cts';
import { entries, tableResponseFields, tableFields, titled, type Entry } from './tables.cts';

const document = 'sandbox/openapi.yaml';
const serviceOf = ({ operation }: Entry) =>
	serviceOperations.find(({ request }) => request === operation.route);

test('the tables and the document list the same operations, each once', () => {
	const requests: string[] = entries.map(({ operation }) => operation.route);
	const problems = [
		...entries
			.filter((entry) => !serviceOf(entry))
			.map(({ file, operation }) => `${file} has ${operation.route}, but ${document} has not`),
		...serviceOperations
			.filter(({ request }) => !requests.includes(request))
			.map(({ request }) => `${document} has ${request}, but no table nodes/*/*.area.ts has`),
		...entries
			.filter(({ operation }, index) => requests.indexOf(operation.route) !== index)
			.map(({ file, operation }) => `${file} has ${operation.route}, which another table has`),
	];
	expect(problems).toEqual([]);
	expect(entries).not.toHaveLength(0);
});

const described = entries.filter(serviceOf);

describe.each(titled(described, document))('%s', (_, entry) => {
	const { operation } = entry;
	const service = serviceOf(entry)!;

	test("its table has exactly the document's path, query, header and body fields, with their types", () => {
		const expected = [...parameterFields(service), ...bodyFields(service.body)];
		expect(tableFields(operation).sort()).toEqual(expected.sort());
	});

	test('media type, deprecation and the evidence of success agree', () => {
		const json = operation.kind === 'upload' ? 'multipart/form-data' : 'application/json';
		const hasBody = operation.kind === 'upload' || ('body' in operation && operation.body);
		expect(Object.keys(service.bodies)).toEqual(hasBody ? [json] : []);
		expect(Boolean(operation.notice?.includes('deprecated'))).toBe(service.isDeprecated);
		expect(operation.successStatus).toBe(service.success);
		const { response } = service;
		switch (operation.kind) {
			case 'empty':
				// Where the API spec documents no body, the sandbox's own response proves nothing.
				return expect(['', 'rowVersion: text']).toContain(responseFields(response).join());
			case 'single':
			case 'upload': {
				const fields = [operation.returns, ...(operation.alsoReturns ?? [])];
				return expect(responseFields(response).sort()).toEqual(tableResponseFields(fields).sort());
			}
			case 'list':
				return expect(Object.keys(response!.properties!)).toEqual(['totalRows', operation.rowsKey]);
			case 'bulk': {
				const list = operation.resultsKey ? response!.properties![operation.resultsKey] : response;
				return expect(responseFields(list)).toEqual([
					'path: text',
					`${operation.statusField}: integer`,
				]);
			}
		}
	});

	test('its columns are those of a row', () => {
		if (operation.kind !== 'list') return;
		const list = service.response!.properties![operation.rowsKey];
		expect(tableResponseFields(operation.columns)).toEqual(responseFields(list));
		const row = Object.keys(list!.items!.properties!);
		if (operation.idField) expect(row).toContain(operation.idField);
	});
});
