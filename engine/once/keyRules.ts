// Checks the keys of 'Send Once' and the options that come with them. In a run with keys, each row has a whole one, and no
// two rows have the same.
import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { isWriting, type Operation } from '../area';
import type { FieldProblem } from '../failure';
import type { Settings } from '../form/settings';
import { invisible } from '../http/invisible';
import type { Job } from '../kinds/job';
import type { ReadJob } from '../kinds/readItems';
import { quotedName, repeatedNames } from '../kinds/repeatedNames';
import { objectOrEmpty } from '../values/formInputs';
import { chance, clock } from './fingerprint';
import * as say from './sendOnceMessages';

const label = 'Send Once';

/** Whether an AI agent calls the node. It words each call differently, so other values for a key prove nothing. */
export const isTool = (ctx: IExecuteFunctions): boolean => ctx.getNode().type.endsWith('Tool');

/** It names no column: one that tells these rows apart need not do so in the next run. */
const uniqueRule =
	'must be unique per row: drag columns onto it that together are unique per row, or give each row its own number';

const emptyKey =
	'is empty: in a run with keys, each row needs one. Fill its column, or filter the row out';

/** What a key must not hold by itself; the second are the texts that JavaScript writes for a missing value, and spaces. */
const brokenRules = [
	[
		invisible,
		'must have no invisible character: the next export may lack it, and the row would be resent. Clean the column',
	],
	[
		/\b(?:undefined|null|NaN|Invalid Date(?:Time)?)\b|\[object |^ | $| {2}/,
		'a part of it is empty or has spaces around it: other rows may get the same key and count as already sent. Fill the column, or choose another',
	],
] as const;

/** The current time, shortened to a day or longer: in the keys of rows that are due again each day, week, month or year. */
const dayOrLonger =
	/\$today\b|(?:\$now\b|\bDateTime\.(?:now|local|utc)\(\)|\bnew Date\(\))(?:\.(?:plus|minus|setZone)\([^()]*\))*\.(?:(?:year|quarter|month|week|day)\w*\b(?!\()|(?:toISO(?:Week)?Date|to(?:Locale)?DateString|get(?:FullYear|Month|Date))\(\)|(?:toFormat|format)\((["'])[^"'aHhmsSuTtFfXx]+\1\)|startOf\((["'])(?:day|week|month|quarter|year)\2\)|toISO(?:String)?\(\)\.(?:slice\(0, ?(?:4|7|10)\)|split\((["'])T\3\)\[0\]))/g;

const executionId = /\$execution\.id\b/;

/** The parts of a key's expression that give a row another key in each run, or another row the same key. */
const passingParts = [
	[clock, 'the time of day, which differs in each run, so each run would resend the row'],
	[chance, 'a random number, so each run would resend the row'],
	[executionId, 'the ID of the execution, so each run would resend the row'],
	[
		/\$(?:item|run)Index\b/,
		"the row's place in this run: in the next list, the row in that place would count as already sent",
	],
] as const;

/** Why the keys of all items are of no use: no later run would find them again, or it would find those of other rows. */
function makingProblem(ctx: IExecuteFunctions): string | undefined {
	const { options } = ctx.getNode().parameters;
	const expression = typeof options === 'string' ? options : objectOrEmpty(options).sendOnceKey;
	if (typeof expression !== 'string' || !expression.startsWith('=')) return undefined;
	const text = expression.replace(dayOrLonger, '').replace(/\[\s*\$itemIndex\s*\]/g, '');
	// One call by an agent or by another workflow may well mean this call alone.
	const isOneCall = isTool(ctx) || ctx.getMode() === 'integrated';
	const isPassing = (part: RegExp) => part.test(text) && !(isOneCall && part === executionId);
	const [, what] = passingParts.find(([part]) => isPassing(part)) ?? [];
	return what && `has ${what}. Take what stays with the row, such as its number in your system`;
}

/** An expression that reads something of a row, or of a node before this one. */
const reading = /\$(?:json|input|binary|items|node|fromAI)\b|\$\(/;

/**
 * Whether a node's answer is the same for each row in doubt, whichever it is. One expression for all options does not show
 * that it is not.
 */
export const hasFixedAnswer = ({ options }: IDataObject): boolean =>
	!reading.test(String(objectOrEmpty(options).sendOnceLookedUp));

/** The problem of a person's answer: nobody would see what it does to the rows of another run. */
function answerProblem(ctx: IExecuteFunctions, settings: Settings, isKeyed: boolean) {
	const { sendOnceLookedUp: answer, checkOnly } = settings;
	const problem = (text: string): FieldProblem => ({ label: 'Send Once: Looked-Up Rows', text });
	if (answer === 'leave') return undefined;
	if (!isKeyed) return problem(say.answerNeedsKey);
	const isAboutAll = answer === 'allAreThere';
	if (isAboutAll && checkOnly) return problem(say.checkRemembersNothing);
	const isForEditor = isAboutAll || hasFixedAnswer(ctx.getNode().parameters);
	return isForEditor && ctx.getMode() !== 'manual' ? problem(say.answerNeedsEditor) : undefined;
}

/** The settings that hold for a whole run, with their labels: no row decides for the others. */
const settingsOfRun = [
	['parallelRequests', 'Parallel Requests'],
	['sendOnceCompare', 'Send Once: Compare'],
	['sendOnceRemember', 'Send Once: Remember'],
] as const;

/**
 * Problems of settings that hold for the whole run; of keys that are missing, not whole or could be mistaken for another;
 * of repeated keys (nobody knows which of the rows is meant); and of answers. Keys are compared in one Unicode form (NFC).
 * @param jobs the items that were read
 */
export function keyProblems(
	operation: Operation,
	ctx: IExecuteFunctions,
	jobs: readonly ReadJob[],
) {
	const valid = jobs.filter(({ problems }) => problems.length === 0);
	for (const [name, ofRun] of settingsOfRun)
		if (new Set(valid.map(({ values }) => values.settings[name])).size > 1) {
			const problem = { label: ofRun, text: 'must be the same for all rows of a run' };
			return new Map(jobs.map(({ itemIndex }) => [itemIndex, problem]));
		}
	if (!isWriting(operation)) return new Map<number, FieldProblem>();
	const { options } = ctx.getNode().parameters;
	const saved = typeof options === 'string' ? options : Object.keys(objectOrEmpty(options));
	const keyOf = ({ values }: Job) => values.settings.sendOnceKey;
	// So no row is sent that only lacks a key, if an expression gives the options of each row.
	const isKeyed = saved.includes('sendOnceKey') || jobs.some(keyOf);
	const making = makingProblem(ctx);
	const keyProblem = (key = ''): FieldProblem | undefined => {
		if (key === '') return { label, text: emptyKey };
		if (making) return { label, text: making };
		const [, rule] = brokenRules.find(([part]) => part.test(key)) ?? [];
		const value = quotedName(key);
		return rule && { label, rule, value, text: `is ${value}, but ${rule}` };
	};
	const keys = jobs.filter(keyOf).map((job) => [job.itemIndex, keyOf(job)!] as const);
	const problems = repeatedNames(keys, (key) => key.normalize(), { label, rule: uniqueRule });
	for (const job of jobs) {
		const ofAnswer = answerProblem(ctx, job.values.settings, isKeyed);
		const found = ofAnswer ?? (isKeyed && keyProblem(keyOf(job)));
		if (found) problems.set(job.itemIndex, found);
	}
	return problems;
}
