// Of services with ways that no dialect of the sandbox has, the check says nothing that is wrong and sure; and what one
// odd way does not touch is found out all the same.
import type { IDataObject } from 'n8n-workflow';

import { AgencyRecordsCheck } from '../../../nodes/AgencyRecordsCheck/AgencyRecordsCheck.node';
import { runNode } from '../../harness/run.cts';
import { startFakeService } from '../../harness/server.cts';
import { credentialsFor } from '../../harness/useSandbox.cts';
import { isOpen } from './expectedFindings.cts';
import { useVirtualTime } from '../../harness/virtualTime.cts';

useVirtualTime({ skipsPauses: true });

interface Vendor {
	departmentBusinessID: number;
	city: string;
	zip: number;
	archive: string;
	changed: string;
}

const vendor = (n: number): Vendor => ({
	departmentBusinessID: 101 + n,
	city: ['Bend', 'Salem', 'SALEM', 'Albany', 'Eugene'][n % 5]!,
	zip: 97_001 + n,
	archive: n % 20 === 7 ? '1' : '0',
	changed: `2026-0${(n % 9) + 1}-${10 + (n % 15)} 07:00:00`,
});

/** What a service does; each of the table does some of it in a way of its own. */
const usual = {
	count: 240,
	/** Called before the nth read; a status that it returns is that of the answer. */
	before: (() => {}) as (rows: Vendor[], query: URLSearchParams, nth: number) => number | void,
	/** How many rows come before a page. */
	skipped: ((offset) => offset) as (offset: number, limit: number) => number,
	pageSize: (limit: number) => Math.min(limit, 200),
	totalRows: (rows: number): number | undefined => rows,
	/** Whether rows are chosen from a page, and not from the list. */
	cutsFirst: false,
	otherLists: 403,
};

type Service = typeof usual;

/** What an answer may say, by the question that it is given to. */
const questions = {
	lists: 'Which lists may the account read?',
	page: 'Which page size does the service accept?',
	count: "What does 'totalRows' count?",
};

type Truth = Record<keyof typeof questions, RegExp>;

/** What an item says of a service that is as usual: its answer, and what to do. */
const usualTruth: Truth = {
	lists: /^Vendor; not: .*access to: Critical .*, Device Code/,
	page: /^100 rows\.( With 'Page Size' at '(200|1000)', all 22\d rows of Vendor take [12] requests? instead of 3\.)? Nothing to change/,
	count: /^The rows of the list, whatever 'limit' is\. Nothing to change/,
};

/** Of what the answers do not tell: whatever is said of it cannot be sure. */
const open = /(?!)/;

interface Expected {
	/** What is not as usual. */
	truth?: Partial<Truth>;
	/** What need not be found out, though nothing else may be said of it and be sure. */
	untold?: string;
}

const add = (rows: Vendor[], nth: number) =>
	void rows.unshift({ ...vendor(0), departmentBusinessID: 9000 + nth });
const shuffle = (rows: Vendor[], nth: number) => {
	const place = ({ zip }: Vendor) => (zip * nth * 7919) % 241;
	rows.sort((a, b) => place(a) - place(b));
};
/** Does something before the first read with such a parameter. */
const once = (name: string, value: RegExp, act: (rows: Vendor[], nth: number) => unknown) => {
	let isDone = false;
	const before: Service['before'] = (rows, query, nth) => {
		if (isDone || !value.test(query.get(name) ?? '')) return undefined;
		isDone = true;
		return act(rows, nth) as number | undefined;
	};
	return before;
};

const services: Record<string, Partial<Service> & Expected> = {
	'as usual': {},
	'seven rows': { count: 8 },
	'two rows': { count: 2, untold: 'page count' },
	'rows chosen from a page': {
		cutsFirst: true,
		truth: { count: /^The rows of the page/ },
	},
	'a row added before each read': {
		before: (rows, _, nth) => add(rows, nth),
		untold: 'count',
	},
	'another order in each reading': {
		before: (rows, _, nth) => shuffle(rows, nth),
		untold: 'count',
	},
	'a default for pages too large': {
		pageSize: (limit) => (limit > 200 ? 20 : limit),
	},
	'limit ignored': { pageSize: () => 500, truth: { page: open, count: open } },
	'no count': { totalRows: () => undefined, truth: { count: /^Nothing: it is missing/ } },
	'the last page again': {
		skipped: (offset, limit) => Math.min(offset, 228 - limit),
	},
	'a row added before the second page': {
		before: once('offset', /^4$/, (rows) => add(rows, 0)),
		untold: 'count',
	},
	'replicas in turn, of which one has another first row': {
		before: (rows, _, nth) => void (nth % 2 === 0 ? add(rows, 0) : nth > 1 && rows.shift()),
		untold: 'count',
	},
	'500 for a while': {
		before: (_, __, nth) => (nth > 3 && nth < 9 ? 500 : undefined),
		untold: 'page',
	},
	'a page refused once': { before: once('limit', /^100$/, () => 400), untold: 'page' },
	'too busy once': { before: once('limit', /^100$/, () => 429) },
	'too busy for each page of 100': {
		before: (_, query) => (query.get('limit') === '100' ? 429 : undefined),
		truth: { page: open },
	},
	'other lists that fail': { otherLists: 500, truth: { lists: open } },
};

/** @returns the body of an answer */
function answer(service: Service, all: readonly Vendor[], query: URLSearchParams): IDataObject {
	const isChosen = (row: Vendor): boolean => row.archive === '0';
	const limit = Number(query.get('limit'));
	const begin = service.skipped(Number(query.get('offset')), limit);
	const cut = (rows: readonly Vendor[]) => rows.slice(begin, begin + service.pageSize(limit));
	const [chosen, vendors] = service.cutsFirst
		? [cut(all).filter(isChosen), cut(all).filter(isChosen)]
		: [all.filter(isChosen), cut(all.filter(isChosen))];
	return { totalRows: service.totalRows(chosen.length), vendors };
}

test.each(Object.entries(services))('%s', async (_, { truth: other, untold = '', ...ways }) => {
	const service: Service = { ...usual, ...ways };
	const rows = Array.from({ length: service.count }, (__, n) => vendor(n));
	let reads = 0;
	const server = await startFakeService(({ url }, response) => {
		const { pathname, searchParams } = new URL(url!, 'http://service');
		if (!pathname.endsWith('/vendors')) return response.writeHead(service.otherLists).end();
		try {
			const status = service.before(rows, searchParams, ++reads);
			if (status) return response.writeHead(status).end('<html>Down for maintenance</html>');
			return response.end(JSON.stringify(answer(service, rows, searchParams)));
		} catch {
			return response.writeHead(400).end();
		}
	});
	const { json } = await runNode({
		node: new AgencyRecordsCheck(),
		parameters: {},
		credentials: credentialsFor(server.url),
	});
	const truth: Truth = { ...usualTruth, ...other };
	const said = Object.entries(questions).map(([key, question]) => {
		const item = (json.find((one) => one.question === question) ?? {}) as Record<string, string>;
		const isTrue = truth[key as keyof Truth].test([item.answer, item.action].join(' '));
		const mayBeUntold = untold.includes(key) || truth[key as keyof Truth] === open;
		return { isTrue, mayBeUntold, item };
	});
	expect(said.filter(({ isTrue, item }) => !isTrue && !isOpen(item))).toEqual([]);
	expect(said.filter(({ isTrue, mayBeUntold }) => !isTrue && !mayBeUntold)).toEqual([]);
	expect(reads).toBeLessThanOrEqual(25);
});
