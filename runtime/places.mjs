// Where on this machine the full n8n and the browser are.
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

/** The user's cache folder of this package (XDG Base Directory on Linux, the platform's own elsewhere). */
export function cacheFolder() {
	const { env } = process;
	const base =
		env.XDG_CACHE_HOME ||
		(process.platform === 'darwin'
			? join(homedir(), 'Library', 'Caches')
			: process.platform === 'win32'
				? (env.LOCALAPPDATA ?? join(homedir(), 'AppData', 'Local'))
				: join(homedir(), '.cache'));
	return join(base, 'n8n-nodes-agency-records');
}

/**
 * Of an installation.
 * @param {string} label begins its name
 * @param {string | Buffer} list what it is installed from: another list gets a folder of its own
 */
export function folderFor(label, list) {
	const hash = createHash('sha256').update(list).digest('hex');
	return join(cacheFolder(), `${label}-${hash.slice(0, 16)}`);
}

/** The file that says that a step of an installation is done. */
export const markOf = (folder, step) => join(folder, `.${step}.done`);

/** Where Chromium is; undefined when there is none. */
export const chromiumPath = [
	'/usr/bin/chromium',
	'/usr/bin/chromium-browser',
	'/usr/bin/google-chrome',
].find((path) => existsSync(path));
