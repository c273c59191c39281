// How the service cuts a list into pages.
import type { AskQuestion } from '../findings';
import { cannotTell } from '../session';
import { askSetting } from '../settingQuestion';

/** The sizes of a page that are tried where the present one is refused. */
const smallerSizes = [500, 250, 200, 100, 50, 25, 10];

export const checkPageSize: AskQuestion = async (session) =>
	await askSetting(session, 'pageSize', {
		values: smallerSizes.filter((size) => size < session.settings.pageSize),
		async whyRejected() {
			const { pageSize: limit } = session.settings;
			for (const query of [{ limit }, { limit }]) {
				const { length } = (await session.readRows(query)).rows;
				// Where fewer rows come, the nodes go on after them.
				if (length > limit) return `returns ${length} rows`;
			}
			return undefined;
		},
		advice: 'Ask the service owner how many rows a page may have.',
	});

/**
 * How the offset is asked about: by multiples of the page, as the nodes do. A service that counts pages instead of rows
 * gives other rows for one of them.
 */
const laterPages = [
	{ limit: 2, skipped: 4 },
	{ limit: 3, skipped: 3 },
] as const;

export const checkOffset: AskQuestion = async (session) => {
	const { sample, keysOf } = session.mainList();
	const keys = keysOf(sample);
	if (keys.length <= laterPages[0].skipped) throw cannotTell('The list is too short to tell.');
	if (new Set(keys).size < keys.length) throw cannotTell('Some rows are identical.');
	return await askSetting(session, 'offsetBase', {
		async whyRejected() {
			for (const { limit, skipped } of laterPages) {
				const offset = skipped + Number(session.settings.offsetBase);
				const [first] = keysOf(await session.readRows({ limit, offset }));
				const place = keys.indexOf(first!);
				if (place !== skipped) return place === 0 ? 'is ignored' : 'returns other rows';
			}
			return await session.whyNotSame();
		},
		advice: `Only the first ${keys.length} rows of a list can be read reliably: raise 'Page Size' if the service accepts that, or use filters to get fewer rows, and ask the service owner what 'offset' means.`,
		ifNone: {
			'is ignored': 'It is ignored: each page begins with the first row.',
			'is refused': 'It is refused.',
		},
	});
};
