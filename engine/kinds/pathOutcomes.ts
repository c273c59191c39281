// What a bulk answer's reports say of each path that was sent.
import type { IDataObject } from 'n8n-workflow';

import { saysNo } from '../answer/evidence';
import { Failure, adviceLookUp } from '../failure';
import { isObject, shortened, type JsonObject } from '../http/json';
import { isFailure, type Result } from '../items/results';
import type { Answer } from '../send/sendTypes';
import { isRetryable, outcomeOf } from '../send/retryPolicy';

/** What became of a path: its result, or that it is as it was (304). */
export type PathOutcome = Result | 'unchanged';

/** A bulk answer, as far as it is needed to tell what became of a path. */
type BulkAnswer = Pick<Answer, 'status' | 'tries'>;

const pathInDoubt = ({ status, tries }: BulkAnswer, path: string, message: string): Failure =>
	new Failure(message, 'unknown', { status, tries, path, advice: adviceLookUp });

const unreportedPath = (told: BulkAnswer, path: string): Failure =>
	pathInDoubt(
		told,
		path,
		`The service accepted the request, but its answer does not say what became of the path "${path}"`,
	);

/**
 * Only a whole number is a status, as the interface declares it: one that comes as text proves nothing. 2xx
 * in a report that does not say no is a success, 304 is unchanged, 4xx is what the policy makes of it.
 */
function pathOutcomeOf(
	report: JsonObject,
	statusField: string,
	told: BulkAnswer,
	path: string,
): PathOutcome {
	const status = report[statusField];
	if (typeof status !== 'number' || !Number.isInteger(status)) return unreportedPath(told, path);
	if (status === 304) return 'unchanged';
	if (status >= 200 && status < 300) {
		if (!saysNo(report)) return report as IDataObject;
		const said = shortened(JSON.stringify(report));
		const message = `The service reported status ${status} on the path "${path}", but says that it failed: ${said}`;
		return pathInDoubt(told, path, message);
	}
	const evidence = { sent: true, status };
	const outcome = status >= 400 && status < 500 ? outcomeOf('PATCH', evidence) : 'unknown';
	const isRefused = outcome === 'refused';
	return new Failure(
		`The service ${isRefused ? 'refused' : 'answered'} the path "${path}" with status ${status}`,
		outcome,
		{
			status,
			tries: told.tries,
			path,
			retryable: isRefused && isRetryable('PATCH', evidence),
			...(!isRefused && { advice: adviceLookUp }),
		},
	);
}

const isPathSuccess = (fate: PathOutcome): boolean => fate !== 'unchanged' && !isFailure(fate);

/** From the best to the worst. */
function gravity(fate: PathOutcome): number {
	if (fate === 'unchanged') return 0;
	if (!isFailure(fate)) return 1;
	if (fate.outcome !== 'refused') return 4;
	return fate.details.retryable ? 2 : 3;
}

/**
 * Several reports on one path count as the worst: nothing tells which of them is whose. A refusal beside a
 * success leaves open whose patch was made.
 * @param fates at least one
 */
function worstOf(fates: readonly PathOutcome[], told: BulkAnswer, path: string): PathOutcome {
	const worst = fates.reduce((one, other) => (gravity(other) > gravity(one) ? other : one));
	const isRefused = worst !== 'unchanged' && isFailure(worst) && worst.outcome === 'refused';
	if (!isRefused || !fates.some(isPathSuccess)) return worst;
	return pathInDoubt(told, path, `The service both accepted and refused the path "${path}"`);
}

/**
 * @param reports the entries of the answer
 * @param paths that were sent, each as often as it was: the interface promises a report for each
 * @returns for each path what became of it, and how many other paths were reported on
 */
export function pathOutcomes(
	reports: readonly unknown[],
	paths: readonly string[],
	statusField: string,
	told: BulkAnswer,
): { fates: Map<string, PathOutcome>; foreign: number } {
	const byPath = new Map<unknown, JsonObject[]>(paths.map((path) => [path, []]));
	const foreign = new Set<unknown>();
	for (const report of reports.filter(isObject)) {
		const ofPath = byPath.get(report.path);
		if (ofPath) ofPath.push(report);
		else foreign.add(report.path);
	}
	const times = new Map<string, number>();
	for (const path of paths) times.set(path, (times.get(path) ?? 0) + 1);
	const fates = new Map<string, PathOutcome>();
	for (const [path, count] of times) {
		const reported = byPath.get(path) ?? [];
		const all = reported.map((report) => pathOutcomeOf(report, statusField, told, path));
		if (all.length < count) all.push(unreportedPath(told, path));
		fates.set(path, worstOf(all, told, path));
	}
	return { fates, foreign: foreign.size };
}
