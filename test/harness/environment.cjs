// n8n's engine and the sandbox are loaded by Node itself, once per worker, outside jest's module system, which breaks
// n8n-core's dynamic imports and would load everything again for each test file.
const { join } = require('node:path');
const { isNativeError } = require('node:util').types;
const { Worker } = require('node:worker_threads');
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

/** Milliseconds. Slow tests have files of their own. */
const timeoutOfFull = 300_000;

/** If one test hangs, others do, too: then each is ended soon, so that all are named in bounded time. */
let hasHung = false;
const timeoutAfterHang = 10_000;

const guard = new Worker(join(__dirname, 'guard.cjs'));
guard.unref();

// Jest's workers have no open handles at their end, but on a loaded machine Node takes longer to dispose of n8n's heap
// than the half second after which jest warns of a leak. In a single process, jest's own result must get out.
if (process.argv[1]?.includes('jest-worker'))
	process.once('exit', () => process.kill(process.pid, 'SIGKILL'));

module.exports = class extends TestEnvironment {
	constructor(config, context) {
		super(config, context);
		this.file = context.testPath;
	}

	async setup() {
		await super.setup();
		this.global.native = (module) => require(module);
		acceptForeignErrors(this.global.Error);
	}

	async teardown() {
		guard.postMessage({ endsBy: Infinity });
		await super.teardown();
	}

	handleTestEvent({ name, test, hook }, state) {
		// Modules loaded by Node need no source maps, and looking for them takes a tenth of the total time.
		if (name === 'setup') delete Error.prepareStackTrace;
		if (name === 'setup' && this.file.includes('.full.')) state.testTimeout = timeoutOfFull;
		if (name === 'test_done') hasHung ||= String(test.errors).includes('Exceeded timeout');
		if (hasHung) state.testTimeout = timeoutAfterHang;
		if (!/^(setup|(hook|test_fn)_start)$/.test(name)) return;
		// A test or hook has begun with this event, and ends before the next one begins.
		const timeout = (hook ?? test)?.timeout ?? state.testTimeout;
		const what = `${this.file} › ${test?.name ?? 'outside of tests'}`;
		guard.postMessage({ what, endsBy: Date.now() + timeout });
	}
};
