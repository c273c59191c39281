// The areas that the sandbox serves: every file in sandbox/areas/, held against openapi.yaml.
import { readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

import type { Area, Handler } from './area.mts';
import { operationsOf, readOpenApi, type OpenApiOperation } from './openapi.mts';

export interface LoadedArea extends Area {
	/** Such as `sandbox/areas/vendors.mts`. */
	file: string;
	/** The tag of its operations in openapi.yaml. */
	title: string;
}

const folder = join(import.meta.dirname, 'areas');
// Unlike import(), require() of a module returns at once, and so does whoever asks for the areas.
const load = createRequire(import.meta.url);

function readAreas(): Array<Area & { file: string }> {
	return readdirSync(folder).map((name) => {
		const file = `sandbox/areas/${name}`;
		const { area } = load(join(folder, name)) as { area?: Area };
		if (!area) throw new Error(`${file} has no export named "area"`);
		return { ...area, file };
	});
}

/**
 * Areas with the titles that openapi.yaml gives them, in the order of these titles.
 * @throws Error when an operation has no handler, or a handler no operation
 */
export function matchAreas(
	areas: ReadonlyArray<Area & { file: string }>,
	operations: readonly OpenApiOperation[],
): LoadedArea[] {
	const tags = new Map(operations.map(({ operationId, tags: [tag] }) => [operationId, tag]));
	const files = new Map<string, string>();
	for (const { file, handlers } of areas) {
		for (const name of Object.keys(handlers)) {
			if (!tags.has(name)) {
				throw new Error(
					`${file} has a handler "${name}", but sandbox/openapi.yaml has no operation with this operationId`,
				);
			}
			if (files.has(name)) {
				throw new Error(
					`The operation "${name}" has a handler in ${files.get(name)} and in ${file}`,
				);
			}
			files.set(name, file);
		}
	}
	for (const name of tags.keys()) {
		if (files.has(name)) continue;
		throw new Error(
			`sandbox/openapi.yaml has an operation "${name}", but no file in sandbox/areas/ has a handler of this name`,
		);
	}
	return areas
		.map((area) => ({ ...area, title: tags.get(Object.keys(area.handlers)[0]!)! }))
		.sort((one, other) => one.title.localeCompare(other.title));
}

export const areas: readonly LoadedArea[] = matchAreas(readAreas(), operationsOf(readOpenApi()));

export const handlers: Readonly<Record<string, Handler>> = Object.assign(
	{},
	...areas.map((area) => area.handlers),
) as Record<string, Handler>;
