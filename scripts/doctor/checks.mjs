// What the doctor looks at. A finding is `good`, `note` (a command will miss it, or mend it by itself) or `wrong`
// (nothing works before it is mended).

/** @typedef {{ state: 'good' | 'note' | 'wrong', says: string, mend?: string }} Finding */

const good = (says) => [{ state: 'good', says }];
const note = (says, mend) => [{ state: 'note', says, mend }];
const wrong = (says, mend) => [{ state: 'wrong', says, mend }];

/** Needed to begin with: package.json says so too. */
const oldestNode = 20;
/** What n8n asks for. */
const nodeOfN8n = 24;

const gigabyte = 1e9;
/** What an installation takes, in bytes. */
const dependencies = 1 * gigabyte;
const fullN8n = 4 * gigabyte;

const inGigabytes = (bytes) => `${(bytes / gigabyte).toFixed(1)} GB`;
const majorOf = (version) => Number(/^v(\d+)/.exec(version)?.[1]);

async function node({ node }) {
	const version = await node();
	return majorOf(version) >= oldestNode
		? good(`Node.js ${version}`)
		: wrong(
				`Node.js ${version ?? 'is not there'}, but ${oldestNode} or newer is needed`,
				'https://nodejs.org/en/download',
			);
}

async function npm({ npm }) {
	const version = await npm();
	return version
		? good(`npm ${version}`)
		: wrong('npm is not there', 'https://nodejs.org/en/download');
}

async function git({ git }) {
	const version = await git();
	return version ? good(version) : wrong('git is not there', 'https://git-scm.com/downloads');
}

async function installed({ isInstalled, hasModules, installedNode, freeHere }) {
	if (!isInstalled()) {
		const says = hasModules()
			? 'The dependencies are not those of package-lock.json: the next command installs them'
			: 'The dependencies are not installed: the first command installs them';
		if (freeHere() >= dependencies) return note(says, 'npm start');
		return wrong(
			`${inGigabytes(freeHere())} are free here, but the dependencies take up to ${inGigabytes(dependencies)}`,
			'Free some space on this disk',
		);
	}
	const version = await installedNode();
	return majorOf(version) >= nodeOfN8n
		? good(`The dependencies are current, with Node.js ${version} for n8n`)
		: wrong(
				`The dependencies are installed, but not the Node.js ${nodeOfN8n} that n8n asks for`,
				'npm rebuild node --ignore-scripts=false',
			);
}

async function registry({ registry, isInstalled, isN8nInstalled }) {
	if (await registry()) return good('The npm registry answers');
	const says = 'The npm registry does not answer';
	const mend = 'npm ping';
	if (!isInstalled()) return wrong(`${says}: the dependencies cannot be installed`, mend);
	return isN8nInstalled()
		? note(`${says}: what is installed works without it`, mend)
		: note(`${says}: the full n8n cannot be installed`, mend);
}

async function n8n({ isN8nInstalled, freeInCache }) {
	if (isN8nInstalled()) return good('The full n8n is installed');
	const free = freeInCache();
	return free >= fullN8n
		? note('The full n8n is not installed: that takes several minutes', 'npm run editor')
		: note(
				`The full n8n is not installed, and needs ${inGigabytes(fullN8n)}: ${inGigabytes(free)} are free`,
				'Free some space, or choose another disk with XDG_CACHE_HOME',
			);
}

const browser = async ({ chromium }) =>
	chromium()
		? good(`A browser: ${chromium()}`)
		: note(
				'There is no Chromium: the tests of the editor are left out',
				'apt-get install chromium',
			);

async function freePorts({ isFree, portsOfCommands }) {
	const findings = [];
	for (const { command, ports, mend } of portsOfCommands()) {
		const taken = [];
		for (const port of ports) if (!(await isFree(port))) taken.push(port);
		findings.push(
			...(taken.length > 0
				? note(`${command} takes ports that are taken: ${taken.join(', ')}`, mend)
				: good(`${command} finds its ports free: ${ports.join(', ')}`)),
		);
	}
	return findings;
}

const checks = [node, npm, git, registry, installed, n8n, browser, freePorts];

/**
 * @param {typeof import('./machine.mjs').machine} machine
 * @returns {AsyncGenerator<Finding>} as they are found
 */
export async function* findings(machine) {
	for (const check of checks) yield* await check(machine);
}
