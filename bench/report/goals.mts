// The goals of the benchmarks, each with the figures that were measured.
import { axiosUpload, bareLoop, httpRequest, ours, oursAgain, oursContinue } from '../variants.mts';
import type { MeasuredComparison, Results, Round } from '../measure.mts';
import {
	median,
	medianRatio,
	timesAsFast,
	highestOf,
	type TimedComparison,
} from './statistics.mts';

export interface Goal {
	work: string;
	beside: string;
	is: 'at least' | 'at most' | 'under';
	/** One goal for all figures, or one for each figure; undefined for a figure without a goal. */
	goal: number | ReadonlyArray<number | undefined>;
	unit: '×' | 'MB' | 'ms' | '';
	figures: readonly number[];
}

const row =
	(is: Goal['is'], unit: Goal['unit']) =>
	(work: string, beside: string, goal: Goal['goal'], figures: readonly number[]): Goal => ({
		work,
		beside,
		is,
		goal,
		unit,
		figures,
	});

const speedGoal = row('at least', '×');
const shareGoal = row('at most', '×');
const countGoal = row('at most', '');
const millisecondsGoal = row('under', 'ms');
const megabytesGoal = row('under', 'MB');

const speeds = (all: readonly TimedComparison[], other: string, variant = ours): number[] =>
	all.map((measured) => timesAsFast(measured, other, variant));

/** The highest value of this package in all rounds. */
const worsts = (all: readonly MeasuredComparison[], figure: (round: Round) => number): number[] =>
	all.map((measured) => highestOf(measured, ours, figure));

/** This goal and the next two hold in n8n's engine alone and in the full n8n. */
export const createsBeside = (create: readonly TimedComparison[]): Goal =>
	speedGoal(
		'2,000 creates, 0 / 20 / 100 / 300 ms: speed',
		httpRequest,
		[2.5, 2, 1.3, 0.7],
		speeds(create, httpRequest),
	);

export const farBeside = (far: readonly TimedComparison[]): Goal =>
	speedGoal(
		'2,000 creates over TLS, round trip of 20 / 80 ms: speed',
		httpRequest,
		[undefined, 1],
		speeds(far, httpRequest),
	);

export const expressionsBeside = (expressions: readonly TimedComparison[]): Goal =>
	speedGoal(
		'2,000 creates with four expressions, 0 / 20 / 100 ms: speed',
		`${httpRequest} with the same four`,
		[1.15, 1.3, 1.1],
		speeds(expressions, httpRequest),
	);

/** @param loads the milliseconds of each time the package was loaded */
export function benchmarkGoals(results: Results, loads: readonly number[]): Goal[] {
	const { create, far, expressions, capacity, small, patches, list, files, bigFile, many } =
		results;
	const withLoop = create.filter(({ variants }) => variants.includes(bareLoop));
	const withContinue = expressions.filter(({ variants }) => variants.includes(oursContinue));
	const processor = create.map((each) => medianRatio(each, ours, httpRequest, ({ cpu }) => cpu));
	return [
		createsBeside(create),
		shareGoal('… processor time of an item', httpRequest, 0.5, processor),
		farBeside(far),
		speedGoal(
			'2,000 creates, 0 / 20 / 100 ms: speed',
			"bare loop over n8n's request helper",
			0.95,
			speeds(withLoop, bareLoop),
		),
		speedGoal(
			'… right after 2,000 others',
			'the same loop',
			0.95,
			speeds(withLoop, bareLoop, oursAgain),
		),
		expressionsBeside(expressions),
		speedGoal(
			'… under "Continue", 20 / 100 ms',
			'the same',
			[undefined, undefined],
			speeds(withContinue, httpRequest, oursContinue),
		),
		countGoal(
			'1,000 creates, a service that serves 20 at once: most waiting requests',
			'–',
			40,
			worsts(capacity, ({ waiting }) => waiting),
		),
		speedGoal(
			'50 creates right after 50 others, 100 ms: speed',
			'those before',
			1.5,
			speeds(small, ours, oursAgain),
		),
		speedGoal(
			'10,000 license patches, 20 ms: speed',
			`${httpRequest}, one request an item`,
			30,
			speeds(patches, httpRequest),
		),
		speedGoal(
			'List of 100,000 rows, pages of 1,000, 20 ms: speed',
			`${httpRequest} with its pagination`,
			3,
			speeds(list, httpRequest),
		),
		speedGoal('10 uploads of 10 MB: speed', httpRequest, 1, speeds(files, httpRequest)),
		speedGoal(
			'Upload of 1 GB: speed',
			`${axiosUpload}, streamed`,
			0.97,
			speeds(bigFile, axiosUpload),
		),
		megabytesGoal(
			'… peak memory',
			'idle',
			100,
			worsts(bigFile, (round) => round.megabytes),
		),
		countGoal(
			'20,000 creates: connections at once',
			'–',
			256,
			worsts(many, ({ connections }) => connections),
		),
		millisecondsGoal(
			'… longest stall of the event loop',
			'–',
			250,
			worsts(many, ({ stall }) => stall),
		),
		millisecondsGoal('Loading all nodes and the credential', '–', 60, [median(loads)]),
	];
}
