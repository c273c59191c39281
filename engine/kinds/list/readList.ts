// Paged lists: `limit` and `offset` until as many rows are there as asked for, or as `totalRows` says exist.
import type { IDataObject } from 'n8n-workflow';

import { isNotModified, requireSuccess } from '../../answer/answer';
import type { ListOperation } from '../../area';
import { Failure } from '../../failure';
import { filterAdvice, queryToSend, type ListQuery } from '../../form/filter';
import { buildRequest } from '../../request/request';
import type { Answer } from '../../send/sendTypes';
import type { ItemValues } from '../../values/item';
import { PagePrefetch, type FetchPage } from './pagePrefetch';
import { notModifiedResults, type Job, type JobServices } from '../job';
import { shapedRows } from './shapedRows';
import { ListPages } from './listPages';

/**
 * Reads on after the first page: the others are asked for ahead of their turn, and added in their order.
 * @param most pages asked for at once
 */
async function readFollowingPages(pages: ListPages, ask: FetchPage, most: number): Promise<void> {
	const ahead = new PagePrefetch(ask);
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
function withFilterAdvice(error: unknown, { filterBy = 'none' }: ListQuery): unknown {
	const advice = filterAdvice[filterBy];
	if (!advice || !(error instanceof Failure) || error.details.status !== 400) return error;
	return new Failure(error.message, error.outcome, { ...error.details, advice });
}

/** Nodes that follow do not run without items: a person would look for the fault there. */
function noRowsHint(filters: IDataObject, start: number): string {
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
	{ send, pagesAhead }: Pick<JobServices, 'send' | 'pagesAhead'>,
	operation: ListOperation,
	values: Pick<ItemValues, 'path' | 'query' | 'settings'>,
): Promise<ListPages | Answer> {
	const { offset: start, returnAll, limit, pageSize } = values.settings;
	const filters = queryToSend(values.query);
	const pages = new ListPages(operation, { start, wanted: returnAll ? Infinity : limit, pageSize });
	const ask = async (offset: number, stop?: AbortSignal): Promise<Answer> => {
		const paging = { limit: pages.limitAt(offset), ...(offset > 0 && { offset }) };
		const query = operation.paged ? { ...filters, ...paging } : {};
		const answer = await send(buildRequest(operation, { ...values, query }), stop);
		return pages.isEnd(answer) ? answer : requireSuccess(answer);
	};
	const first = await ask(start).catch((error: unknown) => {
		throw withFilterAdvice(error, values.query);
	});
	if (isNotModified(first)) return first;
	if (!pages.add(first)) await readFollowingPages(pages, ask, pagesAhead);
	return pages;
}

export async function readList(
	service: JobServices,
	operation: ListOperation,
	{ values }: Job,
): Promise<IDataObject[]> {
	const pages = await readPages(service, operation, values);
	if (!(pages instanceof ListPages)) return notModifiedResults(pages, values);
	const { query, settings } = values;
	for (const text of pages.hints) service.hint(text);
	if (pages.rows.length === 0) service.hint(noRowsHint(queryToSend(query), settings.offset));
	return shapedRows(pages.rows, settings);
}
