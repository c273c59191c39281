// What stands in the way of publishing: see check.mjs.
import { repositoryPage } from '../addresses.mjs';
import { releaseIn } from './changelog.mjs';

/** A domain reserved for examples (RFC 2606), or an account of that name. */
const isExample = (value) => /(?<=[@./])(example(\.(com|net|org))?|invalid)([/#]|$)/.test(value);

/** What only the owner can fill in, by its place in package.json. */
const owners = ({ author, homepage, repository, bugs }) => ({
	'author.email': author.email,
	homepage,
	'repository.url': repository.url,
	'bugs.url': bugs.url,
});

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
		.map(([name, value]) => `package.json: "${name}" is an example still: ${value}`);
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
		...(releaseIn(changelog, version)
			? []
			: [`CHANGELOG.md has no heading "## [${version}] - " with a date`]),
	];
}
