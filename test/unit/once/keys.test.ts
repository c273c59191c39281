// What is known of a key by its marks.
import { earlierOutcome, marksOf } from '../../../engine/once/keys';

const marks = marksOf('https://records.example.org\nPOST /users', 'key');
const { sent, open } = marks;

test.each([
	['notProcessed', []],
	['processed', [sent]],
	['inDoubt', [sent, open]],
	// The other one was forgotten.
	['inDoubt', [open]],
])('%s, of the marks %j', (outcome, remembered) => {
	const added = [sent, open].filter((mark) => !remembered.includes(mark));
	expect(earlierOutcome(marks, new Set(added))).toBe(outcome);
});
