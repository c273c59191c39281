// Checks the service: asks the questions one after the other, and gives an item for each answer.
import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { Failure } from '../failure';
import { checkDefaults, type CheckOptions } from '../form/check';
import { asFailure, errorItem, toNodeError } from '../items/errors';
import { countOf } from '../http/inWords';
import { cancelSignalOf, showHint } from '../n8n';
import { CannotTell, findingItem, type AnsweredQuestion } from './findings';
import { changedSinceLastCheck } from './knownAnswers';
import { questions } from './questions';
import { CheckSession, maxTime, type CheckedOperations } from './session';

/** @returns the finding; undefined when the question does not arise */
async function answered(
	{ question, findOut }: (typeof questions)[number],
	session: CheckSession,
): Promise<AnsweredQuestion | undefined> {
	try {
		const finding = await findOut(session);
		return finding && { question, ...finding };
	} catch (error) {
		if (error instanceof CannotTell) {
			const { message: answer, advice: means, evidence } = error;
			return { question, answer, means, evidence, certainty: 'could not tell' };
		}
		const { message, details } = asFailure(error, 'refused');
		return {
			question,
			answer: message,
			means: details.advice ?? '',
			evidence: [],
			certainty: 'could not tell',
		};
	}
}

/** What follows from findings that name a setting, of which some are to be changed. */
const settingsSummary = (
	toChange: readonly AnsweredQuestion[],
	untold: readonly AnsweredQuestion[],
): Pick<AnsweredQuestion, 'answer' | 'means'> =>
	toChange.length > 0
		? {
				answer: `${countOf(toChange.length, 'setting')} to change.`,
				means: toChange.map((finding) => finding.means).join(' '),
			}
		: {
				answer: 'No settings to change.',
				means: `They fit this service${untold.length > 0 ? ', as far as its answers tell' : ''}.`,
			};

/** The first item, which says what a person has to do. */
function summaryOf(
	findings: readonly AnsweredQuestion[],
	{ requestCount }: CheckSession,
): AnsweredQuestion {
	const toChange = findings.filter(({ isToBeChanged }) => isToBeChanged);
	const untold = findings.filter(({ certainty }) => certainty === 'could not tell');
	const obstacle = findings.find(({ isObstacle }) => isObstacle);
	const isAnySettingKnown = findings.some(({ setting }) => setting !== undefined);
	const { answer, means } =
		obstacle ?? (isAnySettingKnown ? settingsSummary(toChange, untold) : untold[0]!);
	return {
		question: 'What is to be done?',
		answer,
		means,
		evidence: [
			`${countOf(requestCount, 'read')}, ${countOf(findings.length - untold.length, 'question')} answered, ${untold.length} could not be told`,
		],
		certainty: 'yes',
	};
}

/** @throws Error when 'Shift ID' is no ID */
function readCheckOptions(ctx: IExecuteFunctions): CheckOptions {
	const options = ctx.getNodeParameter('options', 0, {}) as Partial<CheckOptions>;
	const onlyWhatChanged = ctx.getNodeParameter('onlyWhatChanged', 0, false) as boolean;
	const { shiftID } = options;
	if (shiftID !== undefined && !(Number.isSafeInteger(shiftID) && shiftID >= 1)) {
		throw new Failure("'Shift ID' must be a whole number, 1 or more", 'notSent');
	}
	return { ...checkDefaults, ...options, onlyWhatChanged };
}

/** Asks all questions. A question whose requests fail is answered by that, and the others are asked all the same. */
async function findingsOf(session: CheckSession): Promise<AnsweredQuestion[]> {
	const findings: AnsweredQuestion[] = [];
	for (const question of questions) {
		const finding = await answered(question, session);
		if (finding) findings.push(finding);
	}
	return [summaryOf(findings, session), ...findings];
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

/** The items of what has changed, with the answers of before; all items where nothing was known. */
function itemsOfChanges(
	ctx: IExecuteFunctions,
	findings: readonly AnsweredQuestion[],
): IDataObject[] {
	const changed = changedSinceLastCheck(ctx, findings);
	return changed
		? changed.map(({ finding, before }) => ({ ...findingItem(finding), before }))
		: findings.map(findingItem);
}

/** Takes the credential's secrets out of all texts of an item. */
const redacted = (item: IDataObject, redact: (text: string) => string): IDataObject =>
	Object.fromEntries(
		Object.entries(item).map(([name, value]) => [
			name,
			typeof value === 'string' ? redact(value) : value,
		]),
	);

/**
 * Checks the service that the node's credential names, with reads alone.
 * @param operations the reads that it makes
 * @param continueOnFail whether an error becomes an item (n8n's setting "On Error")
 * @returns one item for each question, after one that sums them up; with 'Only What Changed', those that differ from
 * the last check
 * @throws NodeOperationError when there is no service to ask, because the credential cannot be used
 */
export async function check(
	ctx: IExecuteFunctions,
	operations: CheckedOperations,
	continueOnFail: boolean,
): Promise<INodeExecutionData[]> {
	try {
		const options = readCheckOptions(ctx);
		const session = await CheckSession.open(ctx, operations, options, checkStop(ctx));
		const [summary, ...findings] = await findingsOf(session);
		showHint(ctx, session.redactSecrets(`${summary!.answer} ${summary!.means}`.trim()));
		const items = options.onlyWhatChanged
			? itemsOfChanges(ctx, findings)
			: [summary!, ...findings].map(findingItem);
		return items.map((item) => ({
			json: redacted(item, (text) => session.redactSecrets(text)),
			pairedItem: { item: 0 },
		}));
	} catch (error) {
		const failure = asFailure(error, 'notSent');
		if (continueOnFail) return [errorItem(failure, 0)];
		throw toNodeError(ctx.getNode(), failure);
	}
}
