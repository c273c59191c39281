// ESLint with the project's own configuration. Loaded by Node itself: jest's module system cannot load that file.
import { join } from 'node:path';

import { ESLint, type Linter } from 'eslint';
import tseslint from 'typescript-eslint';

const eslint = new ESLint({
	cwd: join(import.meta.dirname, '..', '..'),
	overrideConfigFile: join(import.meta.dirname, '..', '..', 'scripts', 'eslint.config.mjs'),
	// Rules with types need existing files, but the tested text only pretends to be in a file.
	overrideConfig: [tseslint.configs.disableTypeChecked as Linter.Config],
});

/**
 * @param file path from the repository's root; it need not exist @returns the messages of the rules whose names start
 * with the prefix
 */
export async function lintMessages(
	file: string,
	text: string,
	rules: string,
): Promise<Linter.LintMessage[]> {
	const [{ messages }] = (await eslint.lintText(text, { filePath: file })) as [ESLint.LintResult];
	const fatal = messages.find((message) => message.fatal);
	if (fatal) throw new Error(`${file} cannot be linted: ${fatal.message}`);
	return messages.filter(({ ruleId }) => ruleId?.startsWith(rules));
}
