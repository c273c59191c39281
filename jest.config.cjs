/** @type {import('jest').Config} */
module.exports = {
	testEnvironment: '<rootDir>/test/harness/environment.cjs',
	// Those that take long are called *.full.test.cts: `npm test` leaves them out, `npm run test:full` does not.
	testMatch: ['<rootDir>/test/**/*.test.cts'],
	transform: {
		// Types are checked by tsc; here they are only taken off.
		'\\.c?ts$': ['ts-jest', { diagnostics: false }],
		'\\.m[jt]s$': '<rootDir>/test/harness/native.cjs',
	},
	moduleNameMapper: { '^n8n-workflow$': '<rootDir>/test/harness/n8n-workflow.cjs' },
	testSequencer: '<rootDir>/test/harness/sequencer.cjs',
	// Each takes a few seconds at most, but on a machine that other programs keep busy, many times as long.
	testTimeout: 60_000,
	// The process that hands out the files has little to do.
	maxWorkers: '100%',
};
