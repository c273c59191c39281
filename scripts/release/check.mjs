// `node scripts/release/check.mjs`: names everything that prevents publishing, and fails if there is anything. npm runs
// it before it publishes; the release workflow runs it with GITHUB_REF_NAME and GITHUB_REPOSITORY, which GitHub sets.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { repositoryPage } from '../addresses.mjs';

/** A domain reserved for examples (RFC 2606), or an account of that name. */
const isExample = (value) => /(?<=[@./])(example(\.(com|net|org))?|invalid)([/#]|$)/.test(value);

/** The fields of package.json that only the owner can fill in. */
const owners = ({ author, homepage, repository, bugs }) => ({
	'author.email': author.email,
	homepage,
	'repository.url': repository.url,
	'bugs.url': bugs.url,
});

/** Whether CHANGELOG.md has a dated heading for a version, as https://keepachangelog.com describes it. */
const isDated = (changelog, version) =>
	changelog.split('\n').some((line) => line.startsWith(`## [${version}] - 20`));

/**
 * @param {object} manifest package.json
 * @param {string} changelog text of CHANGELOG.md
 * @param {{ tag?: string, isOnMain?: boolean, repository?: string }} [place] where a release is made: the tag that
 * was pushed, whether its commit is on the branch main, and `owner/name` of the repository
 * @returns {string[]} sentences; none when it may be published
 */
export function problemsOf(manifest, changelog, { tag, isOnMain, repository } = {}) {
	const { version } = manifest;
	const examples = Object.entries(owners(manifest))
		.filter(([, value]) => isExample(value))
		.map(([name, value]) => `package.json: "${name}" is still an example: ${value}`);
	const page = repositoryPage(manifest);
	const isElsewhere = repository && !page.endsWith(`/${repository}`);
	return [
		...examples,
		...(isElsewhere
			? [`package.json names the repository ${page}, but this is ${repository}`]
			: []),
		...(tag && tag !== `v${version}`
			? [`The tag is ${tag}, but package.json says ${version}`]
			: []),
		...(tag && !isOnMain ? [`The commit of ${tag} is not on the branch main`] : []),
		...(isDated(changelog, version)
			? []
			: [`CHANGELOG.md has no heading "## [${version}] - " with a date`]),
	];
}

function main() {
	const root = join(import.meta.dirname, '..', '..');
	const read = (name) => readFileSync(join(root, name), 'utf8');
	const {
		GITHUB_REF_TYPE: kind,
		GITHUB_REF_NAME: name,
		GITHUB_REPOSITORY: repository,
	} = process.env;
	const toMain = ['merge-base', '--is-ancestor', 'HEAD', 'origin/main'];
	const isOnMain = () => spawnSync('git', toMain, { cwd: root }).status === 0;
	const problems = problemsOf(JSON.parse(read('package.json')), read('CHANGELOG.md'), {
		...(kind === 'tag' && { tag: name, isOnMain: isOnMain() }),
		repository,
	});
	for (const problem of problems) console.error(problem);
	if (problems.length > 0) process.exitCode = 1;
}

if (import.meta.main) main();
