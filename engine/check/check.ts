// Checks the service: asks the questions one after the other, and gives an item for each answer.
import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { labelOf } from '../form/labels';
import { conventionFields, setsConventions } from '../form/serviceConventions';
import type { WatchedList } from '../form/trigger';
import { asFailure, errorItem, toNodeError } from '../items/errors';
import { pluralize } from '../http/format';
import { showHint } from '../n8n';
import { nothingToSet, probably, told, type Finding } from './findings';
import * as changes from './questions/changes';
import * as connection from './questions/connection';
import * as filters from './questions/filters';
import * as pages from './questions/pages';
import { CheckSession } from './session';

/**
 * Answers a question.
 * @returns undefined when the question does not arise
 * @throws Failure when the service's answers do not tell
 */
type FindOut = (session: CheckSession) => Promise<Finding | undefined>;

/**
 * By question, in a person's words, which identify the finding: how it is answered. In the order in which they are
 * asked: the first ones say why the others cannot be answered, and the last ones use what the others have read.
 */
export const questions: Readonly<Record<string, FindOut>> = {
	'Does the service answer?': connection.checkAddress,
	'Is the subscription key accepted?': connection.checkKey,
	'Can the account sign in?': connection.checkSignIn,
	'How is the token written in the Authorization header?': connection.checkHeader,
	'Which lists may the account read?': connection.checkPermissions,
	"Is the service's clock right?": connection.checkClock,
	'How many rows may a page have?': pages.checkPageSize,
	"What does 'totalRows' count?": pages.checkTotalRows,
	"Where does 'offset' start counting?": pages.checkOffset,
	'Do the rows stay in the same order?': pages.checkOrder,
	'How is a filter written?': filters.checkFilterSyntax,
	'Do all conditions of a filter count?': filters.checkJoinedConditions,
	'How are numbers written in a filter?': filters.checkFilterNumbers,
	"Which dates does 'changesSince' take?": changes.checkChangesSince,
	"Does 'rowVersion' ask for what has changed since?": changes.checkRowVersion,
	'How are archived rows asked for?': changes.checkArchived,
	'Do the answers look as the description says?': pages.checkTypes,
	'Does a second sign-in end the token of the first?': connection.checkSecondSignIn,
	'Which limits does the service name?': connection.checkLimits,
};

/** Those of the settings that one switch of the credential shows, in the order of its form. */
const conventionLabels = conventionFields.map(labelOf);

/** n8n shows a cell without a value in red. */
const noValue = '–';

/** The output item of a finding; nothing of it shows a secret of the credential. */
function itemOf(question: string, finding: Finding, { access, evidence }: CheckSession) {
	return {
		question,
		change: finding.change ?? false,
		answer: access.redactSecrets(finding.answer),
		means: access.redactSecrets(finding.means),
		setting: finding.setting ?? noValue,
		value: finding.value ?? noValue,
		evidence: access.redactSecrets(evidence.join('\n')) || noValue,
		sure: finding.sure,
	};
}

/** A finding, and its item. */
interface Answered extends Finding {
	item: ReturnType<typeof itemOf>;
}

/** What a question has to say that could not be answered. */
function untoldBecause(error: unknown): Finding {
	const failure = asFailure(error, 'refused');
	const advice = failure.advice ?? 'Nothing can be concluded: leave the settings as they are.';
	return told(failure.message, advice, { sure: 'could not tell' });
}

async function askAll(session: CheckSession): Promise<Answered[]> {
	const answers: Answered[] = [];
	for (const [question, findOut] of Object.entries(questions)) {
		session.evidence = [];
		const finding = await findOut(session).catch(untoldBecause);
		if (finding) answers.push({ ...finding, item: itemOf(question, finding, session) });
	}
	return answers.sort((a, b) => placeOf(a) - placeOf(b));
}

/** Whether there is something to do that is no setting of the credential. */
const isUnsolved = ({ change, means, sure }: Finding): boolean =>
	!change && sure !== 'could not tell' && means !== nothingToSet;

/** The place of an answer: settings to change come first, as on the form, then what no setting solves. */
function placeOf(finding: Finding): number {
	if (finding.change) return conventionLabels.indexOf(finding.setting!);
	return conventionLabels.length + (isUnsolved(finding) ? 0 : 1);
}

/** What a person has to do; `hint` says it where the items that follow do. */
function summaryOf(
	findings: readonly Finding[],
	untold: readonly Finding[],
): Finding & { hint?: string } {
	const isAnySettingKnown = findings.some(({ setting }) => setting !== undefined);
	const problem = findings.find(isUnsolved) ?? untold[0];
	if (problem && !isAnySettingKnown) return told(problem.answer, problem.means);
	const toChange = findings.filter(({ change }) => change);
	const unsolved = findings.filter(isUnsolved).map(({ means }) => means);
	const settled = toChange.length > 0 ? toChange : findings;
	const isSure = settled.every(({ setting, sure }) => setting === undefined || sure !== 'likely');
	const conclude = isSure ? told : probably;
	const rest = unsolved.length > 0 ? ` No setting solves the rest: ${unsolved.join(' ')}` : '';
	if (toChange.length === 0) {
		const asFarAsTold = untold.length > 0 ? ', as far as its answers tell' : '';
		return conclude('No settings to change.', `They fit this service${asFarAsTold}.${rest}`);
	}
	const count = `${pluralize(toChange.length, 'setting')} to change`;
	const firstBehindSwitch = toChange.find(({ setting }) => conventionLabels.includes(setting!));
	const whatToSet = toChange.map((one) => {
		const where = one === firstBehindSwitch ? `under '${setsConventions.label}': ` : '';
		return `${where}${one.setting} → ${one.value}`;
	});
	return {
		...conclude(`${count}.`, "They come next, in the order of the credential's form."),
		hint: `${count} in the credential: ${whatToSet.join(', ')}.${rest}`,
	};
}

/** The first item: what a person has to do, and how much was asked. */
function summaryItem(answers: readonly Answered[], session: CheckSession) {
	const untold = answers.filter(({ sure }) => sure === 'could not tell');
	const reads = pluralize(session.readCount, 'read');
	const answered = pluralize(answers.length - untold.length, 'question');
	session.evidence = [`${reads}, ${answered} answered, ${untold.length} could not be told`];
	const summary = summaryOf(answers, untold);
	const { answer, means, hint = `${answer} ${means}` } = summary;
	const item = itemOf('What is to be done?', summary, session);
	return { item, hint: session.access.redactSecrets(hint) };
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
		const session = await CheckSession.open(ctx, lists);
		const answers = await askAll(session);
		const summary = summaryItem(answers, session);
		showHint(ctx, summary.hint);
		const items = ctx.getNodeParameter('onlyWhatChanged', 0, false)
			? itemsOfChanges(ctx, answers)
			: [summary.item, ...answers.map(({ item }) => item)];
		return items.map((json) => ({ json, pairedItem: { item: 0 } }));
	} catch (error) {
		const failure = asFailure(error, 'notSent');
		if (continueOnFail) return [errorItem(failure, 0, 1)];
		throw toNodeError(ctx.getNode(), failure);
	}
}
