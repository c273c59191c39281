// The documentation agrees with the code, as far as it is generated from it or can be compared with it.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { parse } from 'yaml';

import { AgencyRecordsApi } from '../../credentials/AgencyRecordsApi.credentials';
import { pauseAfterRefusal } from '../../engine/auth/account';
import { minLengthInWords } from '../../engine/auth/secrets';
import { maxEntryBytes, progressInterval } from '../../engine/log';
import { believedAfter, fewRemovals } from '../../engine/poll/changes';
import { maxPause } from '../../engine/send/circuitBreaker';
import { maxQuiet, maxUntestedWrites, maxWindow } from '../../engine/send/congestionWindow';
import { forgetStateAfter } from '../../engine/send/limiter';
import { sampledItems } from '../../engine/send/storedCredential';
import { missingPictures, problemsOf } from '../../scripts/docs/checkPages.mts';
import { outdatedPages } from '../../scripts/docs/generatedPages.mts';
import { dialectTable } from '../../sandbox/dialects.mts';
import { documentedPackage, type DocumentedPackage } from '../../scripts/docs/package.mts';
import { readPages } from '../../scripts/docs/pages.mts';
import { ScreenTexts } from '../../scripts/docs/screenTexts.mts';

const root = join(__dirname, '..', '..');
const read = (...path: string[]): string => readFileSync(join(root, ...path), 'utf8');

let documented: DocumentedPackage;
let screen: ScreenTexts;
beforeAll(async () => {
	documented = await documentedPackage();
	screen = await ScreenTexts.of(documented);
});

test('the parts generated from the code are up to date', async () => {
	const outdated = await outdatedPages(documented, screen);
	expect(outdated.map(({ path }) => `${path} is out of date: run npm run docs`)).toEqual([]);
});

test('the pages name only things that exist', () => {
	expect(problemsOf(readPages(), screen)).toEqual([]);
});

test('the page shows every example with its picture', () => {
	const page = read('docs', 'examples.md');
	for (const file of readdirSync(join(root, 'examples'))) {
		const { name } = JSON.parse(read('examples', file)) as { name: string };
		expect(page).toContain(`(../examples/${file})`);
		expect(page.toLowerCase()).toContain(`\n## ${name.toLowerCase()}\n`);
		expect(page).toContain(`pictures/examples/${file.replace('.json', '.png')}`);
	}
});

test('every visible credential field has a row on its page', () => {
	const page = read('docs', 'credential.md');
	const rows = [...page.matchAll(/^\| _([^_]+)_ +\|/gm)].map(([, label]) => label);
	const shown = new AgencyRecordsApi().properties.filter(
		({ type }) => type !== 'hidden' && type !== 'notice',
	);
	expect(rows.sort()).toEqual(shown.map(({ displayName }) => displayName).sort());
});

test("docs/settings.md shows the forms' defaults and the sandbox's dialects", () => {
	const page = read('docs', 'settings.md');
	const [, , ...rows] = page.split('\n').filter((line) => line.startsWith('|'));
	expect(rows.length).toBeGreaterThan(5);
	for (const row of rows) {
		const [, , settings, defaults, dialects] = row.split('|') as [string, ...string[]];
		const inCode = (cell = '') => [...cell.matchAll(/`([^`]+)`/g)].map(([, text]) => text!);
		const labels = [...settings!.matchAll(/_([^_]+)_/g)].map(([, label]) => label!);
		expect(inCode(defaults)).toEqual(labels.map((label) => screen.defaultOf(label)));
		expect(inCode(dialects).filter((name) => !(name in dialectTable))).toEqual([]);
	}
});

const words = 'no one two three four five six seven eight nine ten'.split(' ');
const hour = 3_600_000;

test.each<[page: string, sentence: RegExp, number: number]>([
	['promises', /at most (\w+) writes are at risk/, maxUntestedWrites],
	['promises', /one of the (\w+) places/, maxUntestedWrites],
	['promises', /longer than about (\w+) seconds/, maxQuiet / 1000],
	['promises', /only (\w+) rows are compared/, sampledItems],
	['promises', /A wrong password is tried (\w+)ce an hour/, pauseAfterRefusal / hour],
	['credential', /are no more than (\w+) rows compared/, sampledItems],
	['reliability', /at most (\w+) writes are in progress/, maxUntestedWrites],
	['reliability', /and (\w+) for all runs together/, maxWindow],
	['reliability', /After (\w+) seconds, or three times the usual/, maxQuiet / 1000],
	['reliability', /After (\w+) minute without requests/, forgetStateAfter / 60_000],
	['reliability', /(\w+) hour is the most/, maxPause / hour],
	['trigger', /more than (\w+) rows and more than a tenth/, fewRemovals.rows],
	['trigger', /more than 10 rows and more than a (\w+)th/, 1 / fewRemovals.share],
	['trigger', /only after (\w+) more polls/, believedAfter.polls],
	['security', /Secrets shorter than (\w+) characters/, minLengthInWords],
	['security', /and every (\w+) seconds in between/, progressInterval / 1000],
	['errors', /in (\w+) characters: the sum of all its runs/, maxEntryBytes],
])('a number in the docs is the one in the code: %s.md: %s', (name, sentence, expected) => {
	const said = sentence.exec(read('docs', `${name}.md`).replace(/\s+/g, ' '))?.[1];
	const word = said?.toLowerCase().replace(/^(?:an?|on)$/, 'one');
	expect(words.includes(word!) ? words.indexOf(word!) : Number(word)).toBe(expected);
});

const pages = readPages();
/** The problems of a page with this text. */
const problems = (text: string): string[] => {
	const page = [{ path: 'docs/page.md', text }];
	return [...problemsOf(page, screen, pages), ...missingPictures(page)];
};

test.each([
	['a link to no file', '[x](nowhere.md)', /nowhere\.md leads to no file/],
	['a link around a picture', '[![A](pictures/error.png)](nowhere.md)', /no file/],
	['a link to no heading', '[x](reliability.md#nowhere)', /#nowhere leads to no heading/],
	['a path of no file', '`engine/nowhere.ts`', /no file engine\/nowhere\.ts/],
	['a link of HTML', '<a href="nowhere.md">x</a>', /no file/],
	['a picture that is not there', '![A](pictures/nowhere.png)', /no picture/],
	['a picture of HTML', '<img src="nowhere.png" alt="A">', /no picture/],
	['a dark picture that is not there', '<source srcset="nowhere.png">', /no picture/],
	['a picture without words', '![](pictures/error.png)', /no alt text/],
	['a label inside another', '_Options › Wishes_', /"Wishes"/],
	['a script in a block', '```sh\nnpm run nowhere # x\n```', /nowhere/],
	['a message that nobody says', '“Nothing was ever sent”', /Nothing was ever sent/],
	['a message of single words', '“All … items”', /All … items/],
])('a page of the documentation must not contain %s', (_, text, problem) => {
	expect(problems(text)).toEqual([expect.stringMatching(problem)]);
});

/** docs/compose.yaml, as far as it can be checked without containers: npm run test:queue runs n8n with it. */
describe('docs/compose.yaml', () => {
	interface Service {
		image: string;
		environment?: Record<string, unknown>;
		ports?: string[];
	}

	const text = read('docs', 'compose.yaml');
	const { services } = parse(text, { merge: true }) as { services: Record<string, Service> };
	const all = Object.values(services);
	const { main, worker } = services as Record<'main' | 'worker', Service>;

	test('uses the n8n version that all tests run', () => {
		const { dependencies } = JSON.parse(read('n8n-full', 'package.json')) as {
			dependencies: Record<string, string>;
		};
		for (const { image } of [main, worker]) expect(image).toMatch(`/n8n:${dependencies.n8n}`);
	});

	test('contains no secret, and the page lists the secrets it asks for', () => {
		const asked = [...text.matchAll(/\$\{(\w+):\?\}/g)].map(([, name]) => name!);
		const [, block = ''] = /```ini\n([^]*?)```/.exec(read('docs', 'scaling.md'))!;
		const told = [...block.matchAll(/^(\w+)=/gm)].map(([, name]) => name!);
		expect([...new Set(asked)].sort()).toEqual(told.sort());
		const secrets = all.flatMap(({ environment = {} }) =>
			Object.entries(environment).filter(([name]) => /PASSWORD|KEY/.test(name)),
		);
		expect(secrets.length).toBeGreaterThan(0);
		for (const [name, value] of secrets)
			expect([name, value]).toEqual([name, expect.stringMatching(/^\$\{/)]);
	});

	test('can only be reached from this machine', () => {
		const ports = all.flatMap(({ ports: own = [] }) => own);
		expect(ports.length).toBeGreaterThan(0);
		for (const port of ports) expect(port).toMatch(/^127\.0\.0\.1:/);
	});
});
