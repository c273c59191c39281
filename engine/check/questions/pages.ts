// How the service cuts a list into pages.
import { cannotTell, type ListReading } from '../session';
import { rejectedBy, sameAgain, settingQuestion } from '../settingQuestion';

/** The sizes of a page that are tried where the present one is refused. */
const smallerSizes = [500, 250, 200, 100, 50, 25, 10];

export const checkPageSize = settingQuestion('pageSize', (session) => {
	const { settings } = session;
	const page = () => ({
		query: { limit: settings.pageSize },
		/** Where fewer rows come, the nodes go on after them. */
		whyRejected: ({ rows: { length } }: ListReading) =>
			length > settings.pageSize ? `gives ${length} rows` : undefined,
	});
	return {
		values: smallerSizes.filter((size) => size < settings.pageSize),
		whyRejected: rejectedBy(session, () => [page(), page()]),
		advice: "Ask the service's owner how many rows a page may have.",
	};
});

/**
 * How the offset is asked about: by multiples of the page, as the nodes do. A service that counts pages instead of rows
 * gives other rows for one of them.
 */
const laterPages = [
	{ limit: 2, skipped: 4 },
	{ limit: 3, skipped: 3 },
] as const;

export const checkOffset = settingQuestion('offsetBase', (session) => {
	const { sample, keysOf } = session.mainList();
	const keys = keysOf(sample);
	if (keys.length <= laterPages[0].skipped) throw cannotTell('The list is too short to tell.');
	if (new Set(keys).size < keys.length) throw cannotTell('The rows are alike.');
	return {
		whyRejected: rejectedBy(session, () => [
			...laterPages.map(({ limit, skipped }) => ({
				query: { limit, offset: skipped + Number(session.settings.offsetBase) },
				whyRejected(page: ListReading) {
					const place = keys.indexOf(keysOf(page)[0]!);
					if (place === skipped) return undefined;
					return place === 0 ? 'is ignored' : 'gives other rows';
				},
			})),
			sameAgain(session),
		]),
		advice: `Only the first ${keys.length} rows of a list can be read: set 'Page Size' higher if the service takes that, or choose fewer rows by filters, and ask the service's owner what 'offset' means.`,
		ifNone: {
			'is ignored': 'It is ignored: each page begins with the first row.',
			'is refused': 'It is refused.',
		},
	};
});
