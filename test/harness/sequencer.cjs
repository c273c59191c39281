// Without timings, jest starts with the largest files. The worlds are small files that take longest.
const { default: Sequencer } = require('@jest/test-sequencer');

module.exports = class extends Sequencer {
	sort(tests) {
		const isLong = ({ path }) => /\bsimulation\b/.test(path);
		return super.sort(tests).sort((one, other) => isLong(other) - isLong(one));
	}
};
