// Checks the service: asks the questions one after the other, and gives an item for each answer.
import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { labelOf } from '../form/labels';
import { conventionFields, setsConventions } from '../form/serviceConventions';
import type { WatchedList } from '../form/trigger';
import { pluralize } from '../http/format';
import { asFailure, errorItem, toNodeError } from '../items/errors';
import { showHint } from '../n8n';
import { readCredentials } from '../send/runToken';
import { alsoSeen } from './alsoSeen';
import { finding, nothingToChange, type AskQuestion, type Finding } from './findings';
import * as changes from './questions/changes';
import * as connection from './questions/connection';
import * as filters from './questions/filters';
import * as pages from './questions/pages';
import { CheckSession } from './session';

/**
 * By question, in a person's words, which identify the finding: how it is answered. In the order in which they are
 * asked: the first ones say why the others cannot be answered, and the last ones use what the others have read.
 */
export const questions: Readonly<Record<string, AskQuestion>> = {
	'Does the service answer?': connection.checkAddress,
	'Is the subscription key accepted?': connection.checkKey,
	'Can the account sign in?': connection.checkSignIn,
	'How is the token written in the Authorization header?': connection.checkHeader,
	'Which lists may the account read?': connection.checkPermissions,
	'Which page size does the service take?': pages.checkPageSize,
	"Where does 'offset' start counting?": pages.checkOffset,
	'How is a filter written?': filters.checkFilterSyntax,
	'How are numbers written in a filter?': filters.checkFilterNumbers,
	"Which dates does 'changesSince' take?": changes.checkChangesSince,
	'How are archived rows asked for?': changes.checkArchived,
	'Also seen': alsoSeen,
};

/** Those of the settings that one switch of the credential shows, in the order of its form. */
const conventionLabels = conventionFields.map(labelOf);

/** n8n shows a cell without a value in red. */
const noValue = '–';

/** The output item of a finding; nothing of it shows a secret of the credential. */
function itemOf(question: string, found: Finding, { access, evidence }: CheckSession) {
	return {
		question,
		change: found.change ?? false,
		answer: access.redactSecrets(found.answer),
		action: access.redactSecrets(found.action),
		setting: found.setting ?? noValue,
		value: found.value ?? noValue,
		evidence: access.redactSecrets(evidence) || noValue,
		confidence: found.confidence,
	};
}

type Item = ReturnType<typeof itemOf>;

/** The finding for a question that could not be answered. */
function inconclusiveFinding(error: unknown): Finding {
	const { message, advice } = asFailure(error, 'refused');
	const leaveSettings = 'Nothing can be concluded: leave the settings as they are.';
	return { ...finding(message, advice ?? leaveSettings), confidence: 'could not tell' };
}

async function askAll(session: CheckSession): Promise<Item[]> {
	const items: Item[] = [];
	for (const [question, ask] of Object.entries(questions)) {
		session.evidence = '';
		const found = await ask(session).catch(inconclusiveFinding);
		if (found) items.push(itemOf(question, found, session));
	}
	return items.sort((a, b) => rankOf(a) - rankOf(b));
}

const isInconclusive = ({ confidence }: Item): boolean => confidence === 'could not tell';

const hasSetting = ({ setting }: Item): boolean => setting !== noValue;

/** Whether there is something to do that is no setting of the credential. */
const isUnsolved = (item: Item): boolean =>
	!item.change && !isInconclusive(item) && item.action !== nothingToChange;

/** Settings to change come first, as on the form, then what no setting solves. */
function rankOf(item: Item): number {
	if (item.change) return conventionLabels.indexOf(item.setting);
	return conventionLabels.length + (isUnsolved(item) ? 0 : 1);
}

/** The summary of settings to change, and the hint that names them. */
function changesToMake(toChange: readonly Item[], rest: string) {
	const count = `${pluralize(toChange.length, 'setting')} to change`;
	const firstBehindSwitch = toChange.find(({ setting }) => conventionLabels.includes(setting));
	const settings = toChange.map((item) => {
		const where = item === firstBehindSwitch ? `under '${setsConventions.label}': ` : '';
		return `${where}${item.setting} → ${item.value}`;
	});
	return {
		...finding(`${count}.`, "They come next, in the order of the credential's form."),
		hint: `${count} in the credential: ${settings.join(', ')}.${rest}`,
	};
}

/** What a person has to do; `hint` says it where the items that follow do. */
function summaryOf(items: readonly Item[]): Finding & { hint?: string } {
	const inconclusive = items.find(isInconclusive);
	const unsolved = items.filter(isUnsolved);
	const problem = unsolved[0] ?? inconclusive;
	if (problem && !items.some(hasSetting)) return finding(problem.answer, problem.action);
	const actions = unsolved.map(({ action }) => action).join(' ');
	const rest = actions === '' ? '' : ` No setting solves the rest: ${actions}`;
	const toChange = items.filter(({ change }) => change);
	const settled = toChange.length > 0 ? toChange : items.filter(hasSetting);
	const isLikely = settled.some(({ confidence }) => confidence === 'likely');
	const asFarAsTold = inconclusive ? ', as far as its answers tell' : '';
	const summary =
		toChange.length > 0
			? changesToMake(toChange, rest)
			: finding('No settings to change.', `They fit this service${asFarAsTold}.${rest}`);
	return { ...summary, confidence: isLikely ? 'likely' : 'yes' };
}

/** The first item: what a person has to do, and how much was asked. */
function summaryItem(items: readonly Item[], session: CheckSession) {
	const inconclusive = items.filter(isInconclusive).length;
	const reads = pluralize(session.statistics.tries, 'read');
	const answered = pluralize(items.length - inconclusive, 'question');
	session.evidence = `${reads}, ${answered} answered, ${inconclusive} could not be told`;
	const { hint, ...summary } = summaryOf(items);
	const item = itemOf('What is to be done?', summary, session);
	return { item, hint: hint ?? `${item.answer} ${item.action}` };
}

/** What a node's last check has found out, by question. n8n saves it with an active workflow. */
type KnownAnswers = Record<string, { answer: string; compared: string }>;

/** What two checks compare: the value, or else the answer without numbers that change from day to day. */
const comparedOf = (item: Item): string =>
	hasSetting(item) ? item.value : item.answer.replace(/\d+/g, '');

/**
 * Compares answers with those of the last check, and keeps these ones for the next. A question that could not be
 * answered is no change, and what was known of it stays.
 * @returns the items of what has changed, with the answers of before; all items where there was no check before
 */
function itemsOfChanges(ctx: IExecuteFunctions, items: readonly Item[]): IDataObject[] {
	const data = ctx.getWorkflowStaticData('node') as { answers?: KnownAnswers };
	const before = data.answers;
	const conclusive = items.filter((item) => !isInconclusive(item));
	const now = conclusive.map((item) => {
		return [item.question, { answer: item.answer, compared: comparedOf(item) }] as const;
	});
	data.answers = { ...before, ...Object.fromEntries(now) };
	if (!before) return [...items];
	return conclusive.flatMap((item) => {
		const known = before[item.question];
		const hasChanged = known && known.compared !== comparedOf(item);
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
		const session = new CheckSession(ctx, await readCredentials(ctx));
		await session.open(lists);
		const items = await askAll(session);
		const summary = summaryItem(items, session);
		showHint(ctx, summary.hint);
		const output = ctx.getNodeParameter('onlyWhatChanged', 0, false)
			? itemsOfChanges(ctx, items)
			: [summary.item, ...items];
		return output.map((json) => ({ json, pairedItem: { item: 0 } }));
	} catch (error) {
		const failure = asFailure(error, 'notSent');
		if (continueOnFail) return [errorItem(failure, 0, 1)];
		throw toNodeError(ctx.getNode(), failure);
	}
}
