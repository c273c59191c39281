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
			const took = {};
			for (const { id, fileName, timeSpentMs } of JSON.parse(readFileSync(noted, 'utf8')))
				if (!wanted || wanted.has(id)) took[fileName] = (took[fileName] ?? 0) + timeSpentMs;
			let result;
			for (const file of Object.keys(took).sort((a, b) => took[a] - took[b])) {
				adapter.run = (settings) => run({ ...settings, testFiles: [file] });
				result = await mutantRun.call(runner, options);
				if (result.status !== 'survived') break;
			}
			return result;
		},
	});
}
factory.inject = ['$injector'];

export const strykerPlugins = [{ kind: 'TestRunner', name: 'jestFilesThatSee', factory }];
export const { strykerValidationSchema } = jest;
