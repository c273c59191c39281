// Prints how many milliseconds it takes to load the built nodes and the credential as n8n does, with require().
const { join } = require('node:path');

const root = join(__dirname, '..');
const { n8n } = require(join(root, 'package.json'));
// n8n has loaded this before it loads any node, so it is not counted.
require('n8n-workflow');

const started = performance.now();
for (const path of [...n8n.credentials, ...n8n.nodes]) {
	const name = path.match(/(\w+)\.\w+\.js$/)[1];
	new (require(join(root, path))[name])();
}
console.log(performance.now() - started);
