// No text blocks n8n: lint refuses patterns that take time by the square of a text's length. Each of these stood in the
// code once, or is like one that did.
import { lintMessages } from '../harness/lint.mts';

const messages = async (file: string, pattern: string): Promise<string[]> => {
	const text = `export const found = (text: string) => ${pattern}.test(text);`;
	return [
		...(await lintMessages(file, text, 'regexp/no-super-linear-move')),
		...(await lintMessages(file, text, 'regexp/no-super-linear-backtracking')),
	];
};

test.each([
	'/0+$/',
	'/[ \\t]+$/',
	'/\\/+$/',
	'/^[^\\s@]+@[^\\s@]+\\.[^\\s@]+$/',
	'/^(\\d+)+$/',
	'/<[^>]*>/',
	'/^\\s*(a|\\s)*$/',
])('%s is refused', async (pattern) => {
	for (const file of ['engine/values/scalars.ts', 'nodes/x.ts', 'sandbox/service.mts']) {
		expect([file, (await messages(file, pattern)).length]).toEqual([file, 1]);
	}
});

test.each(['/(?<!0)0+$/', '/^\\d+$/', '/^[^\\s@]+@[^\\s@][^\\s@.]*\\.[^\\s@]+$/'])(
	'%s is not',
	async (pattern) => {
		expect(await messages('engine/values/scalars.ts', pattern)).toEqual([]);
	},
);
