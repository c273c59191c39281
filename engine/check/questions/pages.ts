// How the service cuts a list into pages.
import { conventionQuestion, sameAgain } from '../conventionQuestion';
import { likelyFinding } from '../findings';
import { cannotTell, type ListReading } from '../session';

/** The sizes of a page that are tried where the present one is refused. */
const smallerSizes = [500, 250, 200, 100, 50, 25, 10];

export const checkPageSize = conventionQuestion('pageSize', ({ access: { conventions } }) => {
	const page = (limit: number) => ({
		query: { limit },
		/** Where fewer rows come, the nodes go on after them. */
		whyRejected: ({ rows: { length } }: ListReading) =>
			length > limit ? `gives ${length} rows` : undefined,
	});
	return {
		values: smallerSizes.filter((size) => size < conventions.pageSize),
		probes: (limit) => [page(limit), page(limit)],
		advice: "Ask the service's owner how many rows a page may have.",
	};
});

/** Whether a page can hold the whole list. */
const askSizeOfList = conventionQuestion('pageSize', (session) => {
	const { rows, totalRows = 0 } = session.mainList().first;
	const rowsInAll = totalRows > rows.length ? totalRows : Infinity;
	const page = (limit: number) => ({
		query: { limit },
		whyRejected: ({ rows: { length } }: ListReading) =>
			length < rowsInAll ? 'does not hold the list' : undefined,
	});
	return { values: [1000], probes: (limit) => [page(limit), page(limit)], advice: '' };
});

/**
 * How the offset is asked about: by multiples of the page, as the nodes do. A service that counts pages instead of rows
 * gives other rows for one of them.
 */
const laterPages = [
	{ limit: 2, skipped: 4 },
	{ limit: 3, skipped: 3 },
] as const;

/** Why a service without any later page rejects each value. */
const onlyFirstPage = {
	'is ignored': 'It is ignored: each page begins with the first row.',
	'is refused': 'It is refused.',
} as const;

export const checkOffset = conventionQuestion('offsetBase', (session) => {
	const { first, keysOf } = session.mainList();
	const keys = keysOf(first);
	if (keys.length <= laterPages[0].skipped) throw cannotTell('The list is too short to tell.');
	if (new Set(keys).size < keys.length) throw cannotTell('The rows are alike.');
	return {
		probes: (base) => [
			...laterPages.map(({ limit, skipped }) => ({
				query: { limit, offset: skipped + Number(base) },
				whyRejected(page: ListReading) {
					const place = keys.indexOf(keysOf(page)[0]!);
					if (place === skipped) return undefined;
					return place === 0 ? 'is ignored' : 'gives other rows';
				},
			})),
			sameAgain(session, first),
		],
		advice:
			"Ask the service's owner what 'offset' means. Until then, read no more rows than a page has.",
		async ifNone([reason, ...others]) {
			const answer = onlyFirstPage[reason as keyof typeof onlyFirstPage];
			if (answer === undefined || others.some((other) => other !== reason)) return undefined;
			const { length } = session.mainList().sample.rows;
			const advice = `Only the first ${length} rows of a list can be read: choose fewer rows by filters, and ask the service's owner.`;
			const size = await askSizeOfList(session).catch(() => likelyFinding(answer, advice));
			return { ...likelyFinding(answer), ...size, answer };
		},
	};
});
