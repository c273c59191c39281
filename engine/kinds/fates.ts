// What a bulk answer's reports say of each path that was sent.
import type { IDataObject } from 'n8n-workflow';

import { saysNo } from '../answer/evidence';
import { Failure, mayExist } from '../failure';
import { isObject, shortened, type JsonObject } from '../http/json';
import { isFailure, type Result } from '../items/results';
import type { Answer } from '../send/attempt';
import { isRetryable, outcomeOf } from '../send/policy';

/** What became of a path: its result, or that it is as it was (304). */
export type Fate = Result | 'unchanged';

/** A bulk answer, as far as it is needed to tell what became of a path. */
type Told = Pick<Answer, 'status' | 'tries'>;

const inDoubt = ({ status, tries }: Told, path: string, message: string): Failure =>
	new Failure(message, 'unknown', { status, tries, path, advice: mayExist });

const unreported = (told: Told, path: string): Failure =>
	inDoubt(
		told,
		path,
		`The service accepted the request, but its answer does not say what became of the path "${path}"`,
	);

/**
 * Only a whole number is a status, as the interface declares it: one that comes as text proves nothing. 2xx
 * in a report that does not say no is a success, 304 is unchanged, 4xx is what the policy makes of it.
 */
function fateOf(report: JsonObject, statusField: string, told: Told, path: string): Fate {
	const status = report[statusField];
	if (typeof status !== 'number' || !Number.isInteger(status)) return unreported(told, path);
	if (status === 304) return 'unchanged';
	if (status >= 200 && status < 300) {
		if (!saysNo(report)) return report as IDataObject;
		const said = shortened(JSON.stringify(report));
		const message = `The service reported status ${status} on the path "${path}", but says that it failed: ${said}`;
		return inDoubt(told, path, message);
	}
	const reached = { sent: true, status };
	const outcome = status >= 400 && status < 500 ? outcomeOf('PATCH', reached) : 'unknown';
	const isRefused = outcome === 'refused';
	return new Failure(
		`The service ${isRefused ? 'refused' : 'failed at'} the path "${path}" with status ${status}`,
		outcome,
		{
			status,
			tries: told.tries,
			path,
			retryable: isRefused && isRetryable('PATCH', reached),
			...(!isRefused && { advice: mayExist }),
		},
	);
}

const isSuccess = (fate: Fate): boolean => fate !== 'unchanged' && !isFailure(fate);

/** From the best to the worst. */
function gravity(fate: Fate): number {
	if (fate === 'unchanged') return 0;
	if (!isFailure(fate)) return 1;
	if (fate.outcome !== 'refused') return 4;
	return fate.more.retryable ? 2 : 3;
}

/**
 * Several reports on one path count as the worst: nothing tells which of them is whose. A refusal beside a
 * success leaves open whose patch was made.
 * @param fates at least one
 */
function worstOf(fates: readonly Fate[], told: Told, path: string): Fate {
	const worst = fates.reduce((one, other) => (gravity(other) > gravity(one) ? other : one));
	const isRefused = worst !== 'unchanged' && isFailure(worst) && worst.outcome === 'refused';
	if (!isRefused || !fates.some(isSuccess)) return worst;
	return inDoubt(told, path, `The service both accepted and refused the path "${path}"`);
}

/**
 * @param reports the entries of the answer
 * @param paths that were sent, each as often as it was: the interface promises a report for each
 * @returns for each path what became of it, and how many other paths were reported on
 */
export function fatesOf(
	reports: readonly unknown[],
	paths: readonly string[],
	statusField: string,
	told: Told,
): { fates: Map<string, Fate>; foreign: number } {
	const byPath = new Map<unknown, JsonObject[]>(paths.map((path) => [path, []]));
	const foreign = new Set<unknown>();
	for (const report of reports.filter(isObject)) {
		const ofPath = byPath.get(report.path);
		if (ofPath) ofPath.push(report);
		else foreign.add(report.path);
	}
	const times = new Map<string, number>();
	for (const path of paths) times.set(path, (times.get(path) ?? 0) + 1);
	const fates = new Map<string, Fate>();
	for (const [path, count] of times) {
		const reported = byPath.get(path) ?? [];
		const all = reported.map((report) => fateOf(report, statusField, told, path));
		if (all.length < count) all.push(unreported(told, path));
		fates.set(path, worstOf(all, told, path));
	}
	return { fates, foreign: foreign.size };
}
