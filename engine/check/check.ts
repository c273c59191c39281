// Checks the service: asks the questions one after the other, and gives an item for each answer.
import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import type { WatchedList } from '../form/trigger';
import { pluralize } from '../http/format';
import { asFailure, errorItem, toNodeError } from '../items/errors';
import { showHint } from '../n8n';
import { alsoSeen } from './alsoSeen';
import type { AskQuestion, Finding } from './findings';
import * as access from './questions/access';
import * as pages from './questions/pages';
import { checkLater, CheckSession } from './session';

/**
 * By question, in a person's words, which identify the finding: how it is answered. In the order in which they are
 * asked: the first ones say why the others cannot be answered, and the last ones use what the others have read.
 */
export const questions: Readonly<Record<string, AskQuestion>> = {
	'How is the token written in the Authorization header?': access.checkHeader,
	'Which lists may the account read?': access.checkLists,
	'Which page size does the service accept?': pages.checkPageSize,
	"Where does 'offset' start counting?": pages.checkOffset,
	'Also seen': alsoSeen,
};

/** n8n shows a cell without a value in red. */
const noValue = '–';

const nothingToChange = 'Nothing to change.';

/** The output item of a finding; nothing of it shows a secret of the credential. */
function itemOf(question: string, found: Finding, session: CheckSession) {
	const { redactSecrets } = session.access;
	return {
		question,
		change: found.setting !== undefined && found.action !== undefined,
		answer: redactSecrets(found.answer),
		action: redactSecrets(found.action ?? nothingToChange),
		setting: found.setting ?? noValue,
		value: found.value ?? noValue,
		evidence: redactSecrets(session.evidence) || noValue,
		confidence: found.confidence ?? 'yes',
	};
}

type Item = ReturnType<typeof itemOf>;

/** The finding for a question that could not be answered. */
function inconclusiveFinding(error: unknown): Finding {
	const { message, advice, details } = asFailure(error, 'refused');
	const leaveSettings = 'Nothing can be concluded: leave the settings as they are.';
	const action = details.retryable ? checkLater : (advice ?? leaveSettings);
	return { answer: message, action, confidence: 'could not tell' };
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
const rankOf = (item: Item): number => [item.change, isUnsolved(item), true].indexOf(true);

/** What a person has to do. */
function summaryOf(items: readonly Item[]): Finding {
	const inconclusive = items.find(isInconclusive);
	const unsolved = items.filter(isUnsolved);
	const problem = unsolved[0] ?? inconclusive;
	if (problem && !items.some(hasSetting)) return { answer: problem.answer, action: problem.action };
	const toChange = items.filter(({ change }) => change);
	const changes = toChange.map(({ setting, value }) => `${setting} → ${value}`);
	const asFarAsTold = inconclusive ? ', as far as its responses show' : '';
	const [count, toSet] =
		toChange.length === 0
			? ['No settings to change', `The settings fit this service${asFarAsTold}.`]
			: [
					`${pluralize(toChange.length, 'setting')} to change`,
					`In the credential, set: ${changes.join(', ')}.`,
				];
	const others = pluralize(unsolved.length, 'other thing');
	const rest = unsolved.map(({ action }) => action).join(' ');
	const isSure = items.every(({ confidence }) => confidence === 'yes');
	return {
		answer: unsolved.length === 0 ? `${count}.` : `${count}, ${others} to do.`,
		action: rest === '' ? toSet : `${toSet} No setting can fix the rest: ${rest}`,
		confidence: isSure ? 'yes' : 'likely',
	};
}

/** The first item: what a person has to do, and how much was asked. */
function summaryItem(items: readonly Item[], session: CheckSession): Item {
	const inconclusive = items.filter(isInconclusive).length;
	const reads = pluralize(session.statistics.tries, 'read');
	const answered = pluralize(items.length - inconclusive, 'question');
	session.evidence = `${reads}, ${answered} answered, ${inconclusive} unclear`;
	return itemOf('What should I do?', summaryOf(items), session);
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
		const session = new CheckSession(ctx, lists);
		await session.begin();
		const items = await askAll(session);
		const summary = summaryItem(items, session);
		showHint(ctx, `${summary.answer} ${summary.action}`);
		return [summary, ...items].map((json) => ({ json, pairedItem: { item: 0 } }));
	} catch (error) {
		const failure = asFailure(error, 'notSent');
		if (continueOnFail) return [errorItem(failure, 0, 1)];
		throw toNodeError(ctx.getNode(), failure);
	}
}
