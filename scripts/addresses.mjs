// The documentation's addresses for n8n's screens. Only package.json names the repository: the build (gulpfile.js) puts
// these addresses into the codex files and the credential.

/** The placeholder for the repository's address in the source. */
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
 * Compiled code with the repository's address in place of the placeholder. @throws Error if there is no placeholder
 */
export function withRepository(code, manifest) {
	if (!code.includes(placeholder)) throw new Error(`There is no ${placeholder} to replace`);
	return code.replaceAll(placeholder, repositoryPage(manifest));
}
