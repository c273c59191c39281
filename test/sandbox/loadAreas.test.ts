// The files in sandbox/areas/ and sandbox/openapi.yaml fit together, and a failure names both.
import type { Area } from '../../sandbox/area.mts';
import { areas, handlers, matchAreas } from '../../sandbox/loadAreas.mts';
import { operationsOf, readOpenApi } from '../../sandbox/openapi.mts';

const areaIn = (file: string, ...operationIds: string[]): Area & { file: string } => ({
	file,
	kinds: {},
	handlers: Object.fromEntries(operationIds.map((id) => [id, () => undefined])),
});
const operation = (operationId: string, tag: string) => ({
	operationId,
	tags: [tag] as [string],
});

test('every file in sandbox/areas/ is served, under the title that the document gives it', () => {
	const operations = operationsOf(readOpenApi());
	expect(Object.keys(handlers).sort()).toEqual(
		operations.map(({ operationId }) => operationId).sort(),
	);
	expect(areas.find(({ file }) => file === 'sandbox/areas/nemsis3.mts')?.title).toBe(
		'Device codes',
	);
});

test.each([
	[
		[areaIn('sandbox/areas/a.mts', 'listOne', 'listTwo')],
		/areas\/a\.mts .*"listTwo".*openapi\.yaml/,
	],
	[[areaIn('sandbox/areas/a.mts')], /openapi\.yaml .*"listOne".*sandbox\/areas\//],
	[[areaIn('a.mts', 'listOne'), areaIn('b.mts', 'listOne')], /"listOne".*a\.mts and in b\.mts/],
])('what does not fit is refused: case %#', (given, message) => {
	expect(() => matchAreas(given, [operation('listOne', 'Ones')])).toThrow(message);
});

test('an operation without a tag is refused, and named', () => {
	const paths = { '/agencyones/ones': { get: { operationId: 'listOnes' } } };
	expect(() => operationsOf({ paths })).toThrow(/GET \/agencyones\/ones .*one tag/);
});
