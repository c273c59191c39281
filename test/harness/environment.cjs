// n8n-core, the runner and the sandbox are loaded by Node itself, once a worker, outside jest's module
// system: that one breaks n8n-core's dynamic imports, and would load everything anew for every test file.
const { isNativeError } = require('node:util').types;
const { TestEnvironment } = require('jest-environment-node');

// An error made in jest's realm is not `instanceof` n8n's Error, nor the other way round.
function acceptForeignErrors(ErrorClass) {
	const ordinary = Function.prototype[Symbol.hasInstance];
	Object.defineProperty(ErrorClass, Symbol.hasInstance, {
		configurable: true,
		value(value) {
			return ordinary.call(this, value) || (this === ErrorClass && isNativeError(value));
		},
	});
}
acceptForeignErrors(Error);

// Only in setup(): while this file itself is read, jest's hooks stand between Node and TypeScript files.
const load = async () => ({
	'runner-n8n': await import('../../runner/n8n.mts'),
	'n8n-workflow': require('n8n-workflow'),
	'runner-credentials': await import('../../runner/credentials.mts'),
	'runner-sandboxCredential': await import('../../runner/sandboxCredential.mts'),
	'runner-workflow': await import('../../runner/workflow.mts'),
	'sandbox-accounts': await import('../../sandbox/accounts.mts'),
	'sandbox-server': await import('../../sandbox/server.mts'),
});

module.exports = class extends TestEnvironment {
	async setup() {
		await super.setup();
		this.global.native = await load();
		acceptForeignErrors(this.global.Error);
	}
};
