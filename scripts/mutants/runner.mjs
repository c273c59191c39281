// A test runner for StrykerJS: its own one for jest loads all test files for each mutant; this one only those with a test
// that reaches the mutant, one after the other, the quickest first, until one fails.
import { readFileSync, writeFileSync } from 'node:fs';

const jest = await import(process.env.STRYKER_JEST_RUNNER);
const noted = 'tests.json';

function factory(injector) {
	const runner = jest.strykerPlugins[0].factory(injector);
	const adapter = runner.jestTestAdapter;
	const run = adapter.run.bind(adapter);
	const { dryRun, mutantRun } = runner;
	return Object.assign(runner, {
		async dryRun(options) {
			const result = await dryRun.call(runner, options);
			// Another process goes on where a mutant did not end.
			writeFileSync(noted, JSON.stringify(result.tests ?? []));
			return result;
		},
		async mutantRun(options) {
			const wanted = options.testFilter && new Set(options.testFilter);
			const files = {};
			for (const { id, fileName, timeSpentMs } of JSON.parse(readFileSync(noted, 'utf8'))) {
				if (wanted && !wanted.has(id)) continue;
				const file = (files[fileName] ??= { took: 0, names: [] });
				file.took += timeSpentMs;
				// All names together become one pattern, which may not be too long.
				file.names.push(id.slice(0, 200));
			}
			let result;
			const inOrder = Object.entries(files).sort(([, a], [, b]) => a.took - b.took);
			for (const [file, { names }] of inOrder) {
				adapter.run = (settings) => run({ ...settings, testFiles: [file] });
				const testFilter = wanted && names;
				result = await mutantRun.call(runner, { ...options, testFilter });
				if (result.status !== 'survived') break;
			}
			return result;
		},
	});
}
factory.inject = ['$injector'];

export const strykerPlugins = [{ kind: 'TestRunner', name: 'jestFilesThatSee', factory }];
export const { strykerValidationSchema } = jest;
