const native = (name) => `<rootDir>/test/harness/native/${name}.cjs`;

/** @type {import('jest').Config} */
module.exports = {
	testEnvironment: '<rootDir>/test/harness/environment.cjs',
	testMatch: ['<rootDir>/test/**/*.test.ts'],
	// Types are checked by tsc; here they are only taken off.
	transform: { '\\.ts$': ['ts-jest', { diagnostics: false }] },
	moduleNameMapper: {
		'^n8n-workflow$': native('n8n-workflow'),
		'/runner/n8n\\.mts$': native('runner-n8n'),
		'/runner/credentials\\.mts$': native('runner-credentials'),
		'/runner/sandboxCredential\\.mts$': native('runner-sandboxCredential'),
		'/runner/workflow\\.mts$': native('runner-workflow'),
		'/sandbox/accounts\\.mts$': native('sandbox-accounts'),
		'/sandbox/server\\.mts$': native('sandbox-server'),
	},
	testTimeout: 60_000,
};
