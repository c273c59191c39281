// A test runner for StrykerJS: its own one for jest loads all test files for each mutant; this one only those that reach
// the mutant, one after the other, the quicker ones first, until one fails.
import { readFileSync, writeFileSync } from 'node:fs';

const jest = await import(process.env.STRYKER_JEST_RUNNER);
export const { strykerValidationSchema } = jest;

function factory(injector) {
	const runner = jest.strykerPlugins[0].factory(injector);
	const { dryRun, mutantRun, jestTestAdapter } = runner;
	const run = jestTestAdapter.run.bind(jestTestAdapter);
	runner.dryRun = async (options) => {
		const result = await dryRun.call(runner, options);
		// In a file, since another process goes on after a mutant that did not end.
		writeFileSync('tests.json', JSON.stringify(result.tests ?? []));
		return result;
	};
	runner.mutantRun = async (options) => {
		const tests = JSON.parse(readFileSync('tests.json', 'utf8'))
			.filter(({ id }) => options.testFilter?.includes(id) ?? true)
			.sort((a, b) => b.timeSpentMs - a.timeSpentMs);
		// All names together become one pattern, which may not be too long.
		const testFilter = options.testFilter?.map((name) => name.slice(0, 200));
		let result;
		for (const file of [...new Set(tests.map(({ fileName }) => fileName))].reverse()) {
			jestTestAdapter.run = (settings) => run({ ...settings, testFiles: [file] });
			result = await mutantRun.call(runner, { ...options, testFilter });
			if (result.status !== 'survived') break;
		}
		return result;
	};
	return runner;
}
factory.inject = ['$injector'];
export const strykerPlugins = [{ kind: 'TestRunner', name: 'jestByFile', factory }];
