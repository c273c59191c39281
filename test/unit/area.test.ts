// What must not compile: `npm run lint` fails when one of these lines does.
import { choice, text } from '../../engine/area';

test('an attribute of a field is one that tables know', () => {
	expect(text('name', { label: 'Name' }).label).toBe('Name');
	// @ts-expect-error misspelled
	text('name', { lable: 'Name' });
	// @ts-expect-error misspelled, beside one that is known
	choice('op', { choices: [{ value: 'replace', name: 'Replace' }], defualt: 'replace' });
});
