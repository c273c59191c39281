// Paged lists: `limit` and `offset` until as many rows are there as asked for, or as `totalRows` says exist.
import type { IDataObject } from 'n8n-workflow';

import { isUnchanged, succeeded } from '../../answer/answer';
import type { ListOperation } from '../../area';
import { Failure } from '../../failure';
import { filterAdvice, sentQuery, type ListQuery } from '../../form/filter';
import { buildRequest } from '../../request/request';
import type { Answer } from '../../send/attempt';
import type { ItemValues } from '../../values/item';
import { Ahead, type Ask } from './ahead';
import { unchanged, type Job, type Service } from '../job';
import { outputOf } from './output';
import { Pages } from './pages';

/**
 * Reads on after the first page: the others are asked for ahead of their turn, and added in their order.
 * @param most pages asked for at once
 */
async function readOn(pages: Pages, ask: Ask, most: number): Promise<void> {
	const ahead = new Ahead(ask);
	let width = most;
	let offset = pages.position;
	try {
		for (;;) {
			while (ahead.count === 0 || (ahead.count < width && offset < pages.end)) {
				ahead.ask(offset);
				offset += pages.pageLength;
			}
			if (pages.add(await ahead.take())) return;
			if ((ahead.offset ?? offset) !== pages.position) {
				// The service cuts pages of unequal length, so the pages asked for ahead begin at wrong rows. From now on
				// each is asked for when the one before is there.
				ahead.drop();
				width = 1;
				offset = pages.position;
			}
		}
	} finally {
		ahead.drop();
	}
}

/** A refusal of a list that was filtered tells how a filter is written: the interface hardly does. */
function advised(error: unknown, { filterBy = 'none' }: ListQuery): unknown {
	const advice = filterAdvice[filterBy];
	if (!advice || !(error instanceof Failure) || error.more.status !== 400) return error;
	return new Failure(error.message, error.outcome, { ...error.more, advice });
}

/** Nodes that follow do not run without items: a person would look for the fault there. */
function noRows(filters: IDataObject, start: number): string {
	const matching = Object.keys(filters).length > 0 ? ' that match the filters' : '';
	const beyond = start > 0 ? ` beyond the first ${start}` : '';
	return `The service has no rows${matching}${beyond}: nothing is returned.`;
}

/**
 * Reads a list, or as much of it as is wanted.
 * @returns its pages; or the answer that says that nothing was modified (304)
 * @throws Failure when the service does not give a list, or does not page as its interface says
 */
export async function readPages(
	{ send, pagesAhead }: Pick<Service, 'send' | 'pagesAhead'>,
	operation: ListOperation,
	values: Pick<ItemValues, 'path' | 'query' | 'settings'>,
): Promise<Pages | Answer> {
	const { offset: start, returnAll, limit, pageSize } = values.settings;
	const filters = sentQuery(values.query);
	const pages = new Pages(operation, { start, wanted: returnAll ? Infinity : limit, pageSize });
	const ask = async (offset: number, stop?: AbortSignal): Promise<Answer> => {
		const paging = { limit: pages.limitAt(offset), ...(offset > 0 && { offset }) };
		const query = operation.paged ? { ...filters, ...paging } : {};
		const answer = await send(buildRequest(operation, { ...values, query }), stop);
		return pages.isEnd(answer) ? answer : succeeded(answer);
	};
	const first = await ask(start).catch((error: unknown) => {
		throw advised(error, values.query);
	});
	if (isUnchanged(first)) return first;
	if (!pages.add(first)) await readOn(pages, ask, pagesAhead);
	return pages;
}

export async function list(
	service: Service,
	operation: ListOperation,
	{ values }: Job,
): Promise<IDataObject[]> {
	const pages = await readPages(service, operation, values);
	if (!(pages instanceof Pages)) return unchanged(pages, values);
	const { query, settings } = values;
	for (const text of pages.hints) service.hint(text);
	if (pages.rows.length === 0) service.hint(noRows(sentQuery(query), settings.offset));
	return outputOf(pages.rows, settings);
}
