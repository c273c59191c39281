// `node scripts/release/notes.mjs`: prints what CHANGELOG.md says of this version, for the release's page.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { releaseIn } from './changelog.mjs';

const root = join(import.meta.dirname, '..', '..');
const read = (name) => readFileSync(join(root, name), 'utf8');

const { version } = JSON.parse(read('package.json'));
const release = releaseIn(read('CHANGELOG.md'), version);
if (!release) throw new Error(`CHANGELOG.md says nothing of ${version}`);
console.log(release.notes);
