// Whether node_modules is what the lock file asks for. Runs before the installation, so it uses only what Node.js
// brings along.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const lockOf = (root) =>
	createHash('sha256')
		.update(readFileSync(join(root, 'package-lock.json')))
		.digest('hex');
const mark = (root) => join(root, 'node_modules', '.installed-lock');

/** Whether the lock file is the one that was last installed. */
export const isInstalled = (root) =>
	existsSync(mark(root)) && readFileSync(mark(root), 'utf8') === lockOf(root);

/** Called after an installation. */
export const markInstalled = (root) => writeFileSync(mark(root), lockOf(root));
