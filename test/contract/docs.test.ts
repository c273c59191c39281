// The documentation says what the code does, where it is made from it or can be held against it.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { AgencyRecordsApi } from '../../credentials/AgencyRecordsApi.credentials';
import { missingPictures } from '../../scripts/docs/links.mts';
import { outdatedPages } from '../../scripts/docs/madePages.mts';
import { documentedPackage, type DocumentedPackage } from '../../scripts/docs/package.mts';
import { readPages } from '../../scripts/docs/pages.mts';
import { ScreenTexts } from '../../scripts/docs/screenTexts.mts';
import { problemsOf } from '../../scripts/docs/words.mts';

const root = join(__dirname, '..', '..');

let documented: DocumentedPackage;
let screen: ScreenTexts;
beforeAll(async () => {
	documented = await documentedPackage();
	screen = await ScreenTexts.of(documented);
});

test('what is made from the code is up to date', async () => {
	const outdated = await outdatedPages(documented, screen);
	expect(outdated.map(({ path }) => `${path} is out of date: run npm run docs`)).toEqual([]);
});

test('the pages name only what there is', () => {
	expect(problemsOf(readPages(), screen)).toEqual([]);
});

test('every field of the credential that is shown has its row in the README', () => {
	const readme = readFileSync(join(root, 'README.md'), 'utf8');
	const rows = [...readme.matchAll(/^\| _([^_]+)_ +\|/gm)].map(([, label]) => label);
	const shown = new AgencyRecordsApi().properties.filter(
		({ type }) => type !== 'hidden' && type !== 'notice',
	);
	expect(rows.sort()).toEqual(shown.map(({ displayName }) => displayName).sort());
});

describe('a page of the documentation', () => {
	/** What is wrong with a page that holds this text. */
	const problems = (text: string): string[] => {
		const pages = [...readPages(), { path: 'docs/page.md', text }];
		return [...problemsOf(pages, screen), ...missingPictures(pages)].filter((problem) =>
			problem.startsWith('docs/page.md: '),
		);
	};

	test.each([
		['a link to no file', '[x](nowhere.md)', /nowhere\.md leads to no file/],
		['a link around a picture', '[![A](pictures/error.png)](nowhere.md)', /no file/],
		['a link to no heading', '[x](reliability.md#nowhere)', /#nowhere leads to no heading/],
		['a link of HTML', '<a href="nowhere.md">x</a>', /no file/],
		['a picture that is not there', '![A](pictures/nowhere.png)', /no picture/],
		['a picture of HTML', '<img src="nowhere.png" alt="A">', /no picture/],
		['a dark picture that is not there', '<source srcset="nowhere.png">', /no picture/],
		['a picture without words', '![](pictures/error.png)', /does not say/],
		['a label inside another', '_Options › Wishes_', /"Wishes"/],
		['a script in a block', '```sh\nnpm run nowhere # x\n```', /nowhere/],
		['a flag that is not there', '`npm run sandbox -- --nowhere`', /--nowhere/],
		['a fault that is not there', '`npm run sandbox -- --fault nowhere`', /fault must be one of/],
		['a file that is not there', '`node scripts/nowhere.mts`', /nowhere/],
		['tests that are not there', '`npx jest test/nowhere`', /nowhere/],
		['a message that nobody says', '“Nothing was ever sent”', /Nothing was ever sent/],
	])('may not hold %s', (_, text, problem) => {
		expect(problems(text)).toEqual([expect.stringMatching(problem)]);
	});
});
