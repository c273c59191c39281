// Checks the service: asks the questions one after the other, and gives an item for each answer.
import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import type { FailureCode } from '../failure';
import type { WatchedList } from '../form/trigger';
import { pluralize } from '../http/format';
import { asFailure, errorFields, toNodeError } from '../items/errors';
import { showHint } from '../n8n';
import { checkLists, checkSignIn } from './access';
import type { AskQuestion, Finding } from './findings';
import { checkCount, checkPageSize } from './paging';
import { openSession, type CheckSession } from './session';

/**
 * By question, in a person's words, which identify the finding: how it is answered. In the order in which they are
 * asked: the first ones say why the others cannot be answered, and the last ones use what the others have found.
 */
const questions: Readonly<Record<string, AskQuestion>> = {
	'Can the account sign in, and how is its token written?': checkSignIn,
	'Which lists may the account read?': checkLists,
	'Which page size does the service accept?': checkPageSize,
	"What does 'totalRows' count?": checkCount,
};

const nothingToChange = 'Nothing to change.';

const itemOf = (
	question: string,
	{ answer, action = nothingToChange, confidence = 'yes' }: Finding,
) => ({ question, answer, action, confidence });

type Item = ReturnType<typeof itemOf>;

/** Failures that are answers: the credential has to be corrected before anything else can be asked. */
const certainFailures: FailureCode[] = ['keyRefused', 'signInRefused'];

/** The finding for a question that could not be answered, or not as it was asked. */
function findingOf(error: unknown): Finding {
	const { message, advice, code, details } = asFailure(error, 'refused');
	const leaveSettings = 'Nothing can be concluded: leave the settings as they are.';
	const adviceOfCheck = advice?.replace('run this item again', 'run the check again');
	const action = details.retryable
		? 'Run the check again later.'
		: (adviceOfCheck ?? leaveSettings);
	const confidence = certainFailures.includes(code) ? 'yes' : 'could not tell';
	return { answer: message, action, confidence };
}

async function askAll(session: CheckSession): Promise<Item[]> {
	const items: Item[] = [];
	for (const [question, ask] of Object.entries(questions))
		items.push(itemOf(question, await ask(session).catch(findingOf)));
	return items;
}

/** The actions for a person. */
function summaryOf(items: readonly Item[]): Finding {
	const [signIn, ...others] = items;
	const told = items.filter(({ confidence }) => confidence !== 'could not tell');
	// Where the account cannot sign in, nothing else counts.
	if (!others.some((item) => told.includes(item))) return signIn!;
	const toDo = told.map(({ action }) => action).filter((action) => action !== nothingToChange);
	const asFarAsTold = told.length < items.length ? ', as far as its responses show' : '';
	const fits = `The settings fit this service${asFarAsTold}.`;
	const count =
		toDo.length === 0 ? 'No settings to change' : `${pluralize(toDo.length, 'thing')} to do`;
	const isSure = items.every(({ confidence }) => confidence === 'yes');
	const confidence = isSure ? 'yes' : 'likely';
	return { answer: `${count}.`, action: toDo.join(' ') || fits, confidence };
}

/**
 * Checks the service that the node's credential names, with reads alone.
 * @param lists what it reads
 * @param continueOnFail whether an error becomes an item (n8n's setting "On Error")
 * @returns one item for each question, after one that sums them up
 * @throws NodeOperationError when there is no service to ask, because the credential cannot be used
 */
export async function check(
	ctx: IExecuteFunctions,
	lists: readonly WatchedList[],
	continueOnFail: boolean,
): Promise<INodeExecutionData[]> {
	try {
		const items = await askAll(await openSession(ctx, lists));
		const summary = itemOf('What should I do?', summaryOf(items));
		showHint(ctx, `${summary.answer} ${summary.action}`);
		return [summary, ...items].map((json) => ({ json, pairedItem: { item: 0 } }));
	} catch (error) {
		const failure = asFailure(error, 'notSent');
		if (continueOnFail) return [{ json: errorFields(failure, 0, 1), pairedItem: { item: 0 } }];
		throw toNodeError(ctx.getNode(), failure);
	}
}
