// The paths of the full n8n and of the browser on this machine.
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

/** This package's folder in the user's cache (XDG Base Directory on Linux, the platform's own elsewhere). */
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
 * The folder of an installation.
 * @param {string} label the begin of the folder's name
 * @param {string | Buffer} list the list of packages that is installed; another list gets another folder
 */
export function installationFolder(label, list) {
	const hash = createHash('sha256').update(list).digest('hex');
	return join(cacheFolder(), `${label}-${hash.slice(0, 16)}`);
}

/** The file whose existence says that a step of an installation is done. */
export const stepMarkFile = (folder, step) => join(folder, `.${step}.done`);

/** The path of Chromium; undefined when there is none. */
export const chromiumPath = [
	'/usr/bin/chromium',
	'/usr/bin/chromium-browser',
	'/usr/bin/google-chrome',
].find((path) => existsSync(path));
