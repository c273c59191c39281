// n8n, its engine in this process and the sandbox are loaded by Node itself, once a worker, outside jest's module system:
// that one breaks n8n-core's dynamic imports, and would load everything again for every test file.
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

/** Where one test hangs, others hang too: then each is given up soon, so that all are named in bounded time. */
let hasHung = false;
const timeoutAfterHang = 10_000;

module.exports = class extends TestEnvironment {
	async setup() {
		await super.setup();
		this.global.native = (module) => require(module);
		acceptForeignErrors(this.global.Error);
	}

	handleTestEvent({ name, test }, state) {
		// Modules that Node has loaded need no source maps, and looking into them takes a tenth of all the time.
		if (name === 'setup') delete Error.prepareStackTrace;
		if (name === 'test_done') hasHung ||= String(test.errors).includes('Exceeded timeout');
		if (hasHung) state.testTimeout = timeoutAfterHang;
	}
};
