// What the benchmarks write for the documentation.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import prettier from 'prettier';

const docs = join(import.meta.dirname, '..', 'docs');

/** Writes a page, formatted as the repository's files are. */
export async function writePage(name: string, markdown: string): Promise<void> {
	const filepath = join(docs, name);
	const options = await prettier.resolveConfig(filepath);
	writeFileSync(filepath, await prettier.format(markdown, { ...options, filepath }));
}

export const writePicture = (name: string, svg: string): void =>
	writeFileSync(join(docs, 'pictures', name), svg);
