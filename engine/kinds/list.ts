// Paged lists: `limit` and `offset` until as many rows are there as asked for, or as `totalRows` says exist.
import type { IDataObject } from 'n8n-workflow';

import { isUnchanged, succeeded } from '../answer/answer';
import type { ListOperation } from '../area';
import { withFilter } from '../form/filter';
import { buildRequest } from '../request/request';
import type { Answer } from '../send/attempt';
import { unchanged, type Job, type Service } from './job';
import { Pages } from './pages';

interface AskedPage {
	offset: number;
	answer: Promise<Answer>;
}

/**
 * Reads on after the first page: the others are asked for ahead of their turn, and added in their order.
 * @param ahead most pages asked for at once
 */
async function readOn(
	pages: Pages,
	ask: (offset: number) => Promise<Answer>,
	ahead: number,
): Promise<void> {
	const asked: AskedPage[] = [];
	const settled = () => Promise.allSettled(asked.splice(0).map(({ answer }) => answer));
	let width = ahead;
	let offset = pages.position;
	try {
		for (;;) {
			while (asked.length === 0 || (asked.length < width && offset < pages.end)) {
				const answer = ask(offset);
				// When the list ends, or fails, before this page's turn, nobody waits for it any more.
				answer.catch(() => {});
				asked.push({ offset, answer });
				offset += pages.pageLength;
			}
			if (pages.add(await asked.shift()!.answer)) return;
			if ((asked[0]?.offset ?? offset) !== pages.position) {
				// The service cuts pages of unequal length, so the pages asked for ahead begin at wrong rows. From now on
				// each is asked for when the one before is there.
				await settled();
				width = 1;
				offset = pages.position;
			}
		}
	} finally {
		await settled();
	}
}

export async function list(
	{ send, hint, pagesAhead }: Service,
	operation: ListOperation,
	{ values }: Job,
): Promise<IDataObject[]> {
	const { offset: start, returnAll, limit, pageSize } = values.settings;
	const wanted = returnAll ? Infinity : limit;
	const filters = withFilter(values.query);
	const pages = new Pages(operation, start, wanted, hint);
	const ask = async (offset: number): Promise<Answer> => {
		const paging = {
			limit: Math.min(pageSize, start + wanted - offset),
			...(offset > 0 && { offset }),
		};
		const query = operation.paged ? { ...filters, ...paging } : {};
		return succeeded(await send(buildRequest(operation, { ...values, query })));
	};
	const first = await ask(start);
	if (isUnchanged(first)) return unchanged(first, values);
	if (!pages.add(first)) await readOn(pages, ask, pagesAhead);
	return pages.rows;
}
