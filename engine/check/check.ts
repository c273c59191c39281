// Checks the service: asks the questions one after the other, and gives an item for each answer.
import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import type { WatchedList } from '../form/trigger';
import { pluralize } from '../http/format';
import { asFailure, errorFields, toNodeError } from '../items/errors';
import { showHint } from '../n8n';
import { checkLists, checkSignIn } from './access';
import type { AskQuestion, Finding } from './findings';
import { checkCount, checkPageSize } from './paging';
import { openSession } from './session';

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

/** The finding for a question that could not be answered, or not as it was asked. */
function openFinding(error: unknown): Finding {
	const { message, advice, details } = asFailure(error, 'refused');
	const leaveSettings = 'Nothing can be concluded: leave the settings as they are.';
	const adviceOfCheck = advice?.replace('run this item again', 'run the check again');
	const action = details.retryable
		? 'Run the check again later.'
		: (adviceOfCheck ?? leaveSettings);
	return { answer: message, action, isOpen: true };
}

/** The actions for a person. */
function summaryOf(findings: readonly Finding[]): Finding {
	const [signIn, ...others] = findings;
	// Where the account cannot sign in, nothing else counts.
	if (others.every(({ isOpen }) => isOpen)) return signIn!;
	const told = findings.filter(({ isOpen }) => !isOpen);
	const toDo = told.flatMap(({ action }) => action ?? []);
	const asFarAsTold = told.length < findings.length ? ', as far as its responses show' : '';
	const fits = `The settings fit this service${asFarAsTold}.`;
	const count =
		toDo.length === 0 ? 'No settings to change' : `${pluralize(toDo.length, 'thing')} to do`;
	return { answer: `${count}.`, action: toDo.join(' ') || fits };
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
		const session = await openSession(ctx, lists);
		const findings: Finding[] = [];
		for (const ask of Object.values(questions))
			findings.push(await ask(session).catch(openFinding));
		const summary = summaryOf(findings);
		const asked = ['What should I do?', ...Object.keys(questions)];
		const items = [summary, ...findings].map(({ answer, action = 'Nothing to change.' }, at) => ({
			json: { question: asked[at]!, answer, action },
			pairedItem: { item: 0 },
		}));
		const [{ json }] = items as [(typeof items)[0]];
		showHint(ctx, `${json.answer} ${json.action}`);
		return items;
	} catch (error) {
		const failure = asFailure(error, 'notSent');
		if (continueOnFail) return [{ json: errorFields(failure, 0, 1), pairedItem: { item: 0 } }];
		throw toNodeError(ctx.getNode(), failure);
	}
}
