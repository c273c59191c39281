// Where the documentation is, for n8n's screens. Whose repository that is says package.json, and no other file:
// the build (gulpfile.js) puts these addresses into the codex files and the credential.

/** Stands in the source for the repository's address. */
const placeholder = 'https://repository.invalid';

/**
 * The repository's web page.
 * @param {{ repository: { url: string } }} manifest package.json
 */
export const repositoryPage = ({ repository }) =>
	repository.url.replace(/^git\+/, '').replace(/\.git$/, '');

/**
 * The pages of the nodes that have no area.
 * @type {Readonly<Record<string, string>>}
 */
const pagesByHand = {
	AgencyRecordsTrigger: 'docs/trigger.md',
	AgencyRecordsRequest: 'docs/requests.md',
};

/**
 * The page of a node, from the root of the repository. Pages of areas are generated, the others written by hand.
 * @param {string} node class name, such as `AgencyNemsis3`
 * @returns {string}
 */
export const pageOfNode = (node) =>
	pagesByHand[node] ?? `docs/nodes/${node.replace(/(?<=.)([A-Z]|\d+)/g, '-$1').toLowerCase()}.md`;

/**
 * A node's codex, the file that n8n reads along with it, with the addresses of its documentation.
 * @param {object} codex as the source has it
 * @param {string} node class name
 */
export function withAddresses(codex, node, manifest) {
	const page = repositoryPage(manifest);
	return {
		...codex,
		resources: {
			credentialDocumentation: [{ url: `${page}/blob/main/docs/credential.md` }],
			primaryDocumentation: [{ url: `${page}/blob/main/${pageOfNode(node)}` }],
		},
	};
}

/**
 * Compiled code with the repository's address in the place that was kept for it.
 * @throws Error when there is no such place
 */
export function withRepository(code, manifest) {
	if (!code.includes(placeholder)) throw new Error(`There is no ${placeholder} to replace`);
	return code.replaceAll(placeholder, repositoryPage(manifest));
}
