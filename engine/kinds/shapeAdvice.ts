// Says what of Agency Records Request fits a response of another shape than expected: another operation or 'List Field'.
import type { Answer } from '../answer/evidence';
import { isDocumented } from '../area';
import { Failure } from '../failure';
import { isObject, jsonIn } from '../http/json';
import { namesListed } from '../values/inputHints';

function adviceFor(body: unknown, isOfList: boolean): string | undefined {
	if (!isOfList) return Array.isArray(body) ? "The response is a list: use 'Get Many'." : undefined;
	if (!isObject(body)) return undefined;
	const lists = Object.keys(body).filter((name) => Array.isArray(body[name]));
	if (lists.length === 0) return "The response has no list: use 'Get'.";
	return `Set 'List Field' to a list that the response has: ${namesListed(lists)}.`;
}

/** Adds the advice to the failure of a read that got another shape. */
function advised(error: unknown, { text, operation, method }: Answer): unknown {
	const isOther = error instanceof Failure && error.code === 'unreadableAnswer';
	if (!isOther || method !== 'GET' || isDocumented(operation)) return error;
	const advice = adviceFor(jsonIn(text), operation.kind === 'list') ?? error.details.advice;
	return new Failure(error.message, error.outcome, { ...error.details, advice });
}

/**
 * Takes the data out of a response.
 * @throws what `take` throws, with advice on another shape
 */
export function withShapeAdvice<Data>(answer: Answer, take: () => Data): Data {
	try {
		return take();
	} catch (error) {
		throw advised(error, answer);
	}
}

/** Beside one page of a list that was read as one object. */
export const onePageHint =
	"The response is one page of a list ('totalRows'): use 'Get Many' to read all of its rows.";
