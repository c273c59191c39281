// Checks the service: asks the questions one after the other, and gives an item for each answer.
import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import type { WatchedList } from '../form/trigger';
import { asFailure, errorItem, toNodeError } from '../items/errors';
import { countOf } from '../http/inWords';
import { cancelSignalOf, showHint } from '../n8n';
import { told, type Finding } from './findings';
import { questions, type Question } from './questions';
import { CheckSession, maxTime } from './session';

/** What to do about a question that has no answer. */
const nothingConcluded = 'Nothing can be concluded: leave the settings as they are.';

/**
 * Asks one question. One whose requests fail is answered by that.
 * @returns undefined when the question does not arise
 */
async function answerTo({ findOut }: Question, session: CheckSession) {
	try {
		return await findOut(session);
	} catch (error) {
		const { message, advice = nothingConcluded } = asFailure(error, 'refused');
		return told(message, advice, { sure: 'could not tell' });
	}
}

/** The output item of a finding; nothing of it shows a secret of the credential. */
function itemOf(question: string, finding: Finding, { access, evidence }: CheckSession) {
	return {
		question,
		answer: access.redactSecrets(finding.answer),
		means: access.redactSecrets(finding.means),
		setting: finding.setting ?? '',
		value: finding.value ?? '',
		change: finding.change ?? false,
		evidence: access.redactSecrets(evidence.join('\n')),
		sure: finding.sure,
	};
}

/** A finding, and its item. */
interface Answered extends Finding {
	item: ReturnType<typeof itemOf>;
}

async function askAll(session: CheckSession): Promise<Answered[]> {
	const answers: Answered[] = [];
	for (const question of questions) {
		session.evidence = [];
		const finding = await answerTo(question, session);
		if (finding) answers.push({ ...finding, item: itemOf(question.question, finding, session) });
	}
	return answers;
}

/** What a person has to do. */
function summaryOf(findings: readonly Finding[]): Finding {
	const untold = findings.filter(({ sure }) => sure === 'could not tell');
	const isAnySettingKnown = findings.some(({ setting }) => setting !== undefined);
	const obstacle = findings.find(({ isObstacle }) => isObstacle);
	const problem = obstacle ?? (isAnySettingKnown ? undefined : untold[0]);
	if (problem) return told(problem.answer, problem.means);
	const toChange = findings.filter(({ change }) => change);
	const asFarAsTold = untold.length > 0 ? ', as far as its answers tell' : '';
	return toChange.length > 0
		? told(
				`${countOf(toChange.length, 'setting')} to change.`,
				toChange.map(({ means }) => means).join(' '),
			)
		: told('No settings to change.', `They fit this service${asFarAsTold}.`);
}

/** The first item: what a person has to do, and how much was asked. */
function summaryItem(answers: readonly Answered[], session: CheckSession): Answered['item'] {
	const untold = answers.filter(({ sure }) => sure === 'could not tell').length;
	const reads = countOf(session.requestCount, 'read');
	const answered = countOf(answers.length - untold, 'question');
	session.evidence = [`${reads}, ${answered} answered, ${untold} could not be told`];
	return itemOf('What is to be done?', summaryOf(answers), session);
}

/** What a node's last check has found out, by question. n8n saves it with an active workflow. */
type KnownAnswers = Record<string, { answer: string; compared: string }>;

/**
 * Compares answers with those of the last check, and keeps these ones for the next. A question that could not be
 * answered is no change, and what was known of it stays.
 * @returns the items of what has changed, with the answers of before; all items where there was no check before
 */
function itemsOfChanges(ctx: IExecuteFunctions, answers: readonly Answered[]): IDataObject[] {
	const data = ctx.getWorkflowStaticData('node') as { answers?: KnownAnswers };
	const before = data.answers;
	const now: KnownAnswers = {};
	for (const { item, value, compared = value ?? item.answer, sure } of answers)
		if (sure !== 'could not tell') now[item.question] = { answer: item.answer, compared };
	data.answers = { ...before, ...now };
	return answers.flatMap(({ item }) => {
		if (!before) return [item];
		const [known, found] = [before[item.question], now[item.question]];
		const hasChanged = known && found && known.compared !== found.compared;
		return hasChanged ? [{ ...item, before: known.answer }] : [];
	});
}

/** Aborted when the check has taken its time, and when the execution is cancelled. */
function checkStop(ctx: IExecuteFunctions): AbortSignal {
	// Not AbortSignal.any, which loses its timer to the garbage collector in Node.js 20.
	const stop = new AbortController();
	for (const signal of [AbortSignal.timeout(maxTime), cancelSignalOf(ctx)]) {
		signal?.addEventListener('abort', () => stop.abort());
	}
	return stop.signal;
}

/**
 * Checks the service that the node's credential names, with reads alone.
 * @param lists what it reads
 * @param continueOnFail whether an error becomes an item (n8n's setting "On Error")
 * @returns one item for each question, after one that sums them up; with 'Only What Changed', those that differ from
 * the last check
 * @throws NodeOperationError when there is no service to ask, because the credential cannot be used
 */
export async function check(
	ctx: IExecuteFunctions,
	lists: readonly WatchedList[],
	continueOnFail: boolean,
): Promise<INodeExecutionData[]> {
	try {
		const session = await CheckSession.open(ctx, lists, checkStop(ctx));
		const answers = await askAll(session);
		const summary = summaryItem(answers, session);
		showHint(ctx, `${summary.answer} ${summary.means}`.trim());
		const items = ctx.getNodeParameter('onlyWhatChanged', 0, false)
			? itemsOfChanges(ctx, answers)
			: [summary, ...answers.map(({ item }) => item)];
		return items.map((json) => ({ json, pairedItem: { item: 0 } }));
	} catch (error) {
		const failure = asFailure(error, 'notSent');
		if (continueOnFail) return [errorItem(failure, 0)];
		throw toNodeError(ctx.getNode(), failure);
	}
}
