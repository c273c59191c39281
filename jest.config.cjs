/** @type {import('jest').Config} */
module.exports = {
	testEnvironment: '<rootDir>/test/harness/environment.cjs',
	// Slow tests are called *.full.test.cts: `npm test` skips them, `npm run test:full` runs them.
	testMatch: ['<rootDir>/test/**/*.test.cts'],
	transform: {
		// tsc checks the types; here they are only stripped.
		'\\.c?ts$': ['ts-jest', { diagnostics: false }],
		'\\.m[jt]s$': '<rootDir>/test/harness/native.cjs',
	},
	moduleNameMapper: { '^n8n-workflow$': '<rootDir>/test/harness/n8n-workflow.cjs' },
	testSequencer: '<rootDir>/test/harness/sequencer.cjs',
	// Each test takes a few seconds at most, but many times as long on a busy machine.
	testTimeout: 60_000,
	// The process that distributes the files is mostly idle, so each core gets a worker.
	maxWorkers: '100%',
};
