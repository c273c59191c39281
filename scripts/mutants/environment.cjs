// Of a file of tests, what comes after the first failure is skipped: the mutant is found.
module.exports = class extends require('../../test/harness/environment.cjs') {
	handleTestEvent({ name, test }) {
		if (name === 'test_fn_failure') this.hasFailed = true;
		if (name === 'test_start' && this.hasFailed) test.mode = 'skip';
	}
};
