// `npm run mutants`: StrykerJS mutates the engine's purely computing modules, one place at a time, and lists the
// mutants that survive their tests.

import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** @type {import('@stryker-mutator/api/core').PartialStrykerOptions} */
export default {
	mutate: [
		'engine/{values,response,http,request}/*.ts',
		'engine/send/{retryPolicy,congestionWindow,circuitBreaker}.ts',
	],
	testRunner: 'jest',
	coverageAnalysis: 'perTest',
	jest: {
		config: {
			// The runner does not know Jest's <rootDir>.
			testEnvironment: './test/harness/environment.cjs',
			testMatch: [
				'<rootDir>/test/unit/{values,http,request,send}/**/*.test.cts',
				'<rootDir>/test/engine/response/*.test.cts',
			],
			testTimeout: 10_000,
		},
	},
	concurrency: 1,
	// Stryker would rewrite this file, although none of its paths leads out of the copy.
	tsconfigFile: 'none',
	tempDirName: join(tmpdir(), 'n8n-nodes-agency-records-mutants'),
	reporters: ['clear-text', 'progress-append-only'],
	clearTextReporter: { reportTests: false, logTests: false },
};
