// Prints the milliseconds it takes to load the built nodes and the credential, as n8n does: by require.
const { join } = require('node:path');

const root = join(__dirname, '..');
const { n8n } = require(join(root, 'package.json'));
// n8n itself has loaded these long before.
require('n8n-workflow');

const started = performance.now();
for (const path of [...n8n.credentials, ...n8n.nodes]) {
	const name = path.match(/(\w+)\.\w+\.js$/)[1];
	new (require(join(root, path))[name])();
}
console.log(performance.now() - started);
