// What the benchmarks write for the documentation.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { writePage as write } from '../scripts/docs/written.mts';

/** Writes a page, formatted as the repository's files are. */
export const writePage = (name: string, markdown: string): Promise<void> =>
	write(`docs/${name}`, markdown);

export const writePicture = (name: string, svg: string): void =>
	writeFileSync(join(import.meta.dirname, '..', 'docs', 'pictures', name), svg);
