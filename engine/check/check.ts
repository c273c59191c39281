// Checks the service: asks the questions one after the other, and gives an item for each answer.
import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import type { WatchedList } from '../area';
import { pluralize } from '../http/format';
import { asFailure, errorFields, toNodeError } from '../items/errors';
import { showHint } from '../n8n';
import { questions, type Finding } from './questions';
import { openSession } from './reads';

/** The finding for a question that could not be answered, or not as it was asked. */
function openFinding(error: unknown): Finding {
	const leaveSettings = 'Nothing can be concluded: leave the settings as they are.';
	const failure = asFailure(error, 'refused').withoutItems('run the check again later');
	return { answer: failure.message, action: failure.advice ?? leaveSettings, isOpen: true };
}

/** The actions for a person. */
function summaryOf(findings: readonly Finding[]): Finding {
	const told = findings.filter(({ isOpen }) => !isOpen);
	// Where the account cannot sign in, nothing else counts.
	if (told.length === 0) return findings[0]!;
	const toDo = told.flatMap(({ action }) => action ?? []);
	const count =
		toDo.length > 0 ? `${pluralize(toDo.length, 'thing')} to do` : 'No settings to change';
	const fits = 'The settings fit this service, as far as its responses show.';
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
	const itemOf = (json: INodeExecutionData['json']) => ({ json, pairedItem: { item: 0 } });
	try {
		const session = await openSession(ctx, lists);
		const findings: Finding[] = [];
		for (const ask of Object.values(questions))
			findings.push(await ask(session).catch(openFinding));
		const summary = summaryOf(findings);
		showHint(ctx, `${summary.answer} ${summary.action}`);
		const asked = ['What should I do?', ...Object.keys(questions)];
		return [summary, ...findings].map(({ answer, action = 'Nothing to change.' }, at) =>
			itemOf({ question: asked[at]!, answer, action }),
		);
	} catch (error) {
		const failure = asFailure(error, 'notSent');
		if (continueOnFail) return [itemOf(errorFields(failure, 0, 1))];
		throw toNodeError(ctx.getNode(), failure);
	}
}
