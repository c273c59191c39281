// What is aimed at.
import { axiosUpload, bareLoop, httpRequest, ours, oursAgain, oursContinue } from '../names.mts';
import type { Measured, Results, Round } from '../measure.mts';
import { median, ratio, speed, worst, type Timed } from './figures.mts';

export interface Goal {
	work: string;
	beside: string;
	is: 'at least' | 'at most' | 'under';
	/** One for all figures, or one for each; undefined where a figure stands for itself. */
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

const fast = row('at least', '×');
const part = row('at most', '×');
const count = row('at most', '');
const milliseconds = row('under', 'ms');
const megabytes = row('under', 'MB');

const speeds = (all: readonly Timed[], other: string, way = ours): number[] =>
	all.map((measured) => speed(measured, other, way));

/** Of this package, the highest of all rounds. */
const worsts = (all: readonly Measured[], figure: (round: Round) => number): number[] =>
	all.map((measured) => worst(measured, ours, figure));

/** In n8n's engine alone, and in the full n8n. */
export const createsBeside = (create: readonly Timed[]): Goal =>
	fast(
		'2,000 creates, 0 / 20 / 100 / 300 ms: speed',
		httpRequest,
		[2.5, 2, 1.3, 0.7],
		speeds(create, httpRequest),
	);

export const farBeside = (far: readonly Timed[]): Goal =>
	fast(
		'2,000 creates over TLS, round trip of 20 / 80 ms: speed',
		httpRequest,
		[undefined, 1],
		speeds(far, httpRequest),
	);

export const expressionsBeside = (expressions: readonly Timed[]): Goal =>
	fast(
		'2,000 creates with four expressions, 0 / 20 / 100 ms: speed',
		`${httpRequest} with the same four`,
		[1.15, 1.3, 1.1],
		speeds(expressions, httpRequest),
	);

/** @param loads milliseconds it took to load the package, each time */
export function goals(results: Results, loads: readonly number[]): Goal[] {
	const { create, far, expressions, capacity, small, patches, list, files, bigFile, many } =
		results;
	const withLoop = create.filter(({ ways }) => ways.includes(bareLoop));
	const withContinue = expressions.filter(({ ways }) => ways.includes(oursContinue));
	const processor = create.map((each) => ratio(each, ours, httpRequest, ({ cpu }) => cpu));
	return [
		createsBeside(create),
		part('… processor time of an item', httpRequest, 0.5, processor),
		farBeside(far),
		fast(
			'2,000 creates, 0 / 20 / 100 ms: speed',
			"bare loop over n8n's request helper",
			0.95,
			speeds(withLoop, bareLoop),
		),
		fast(
			'… right after 2,000 others',
			'the same loop',
			0.95,
			speeds(withLoop, bareLoop, oursAgain),
		),
		expressionsBeside(expressions),
		fast(
			'… under "Continue", 20 / 100 ms',
			'the same',
			[undefined, undefined],
			speeds(withContinue, httpRequest, oursContinue),
		),
		count(
			'1,000 creates, a service that serves 20 at once: most that wait there',
			'–',
			40,
			worsts(capacity, ({ waiting }) => waiting),
		),
		fast(
			'50 creates right after 50 others, 100 ms: speed',
			'those before',
			1.5,
			speeds(small, ours, oursAgain),
		),
		fast(
			'10,000 license patches, 20 ms: speed',
			`${httpRequest}, one request an item`,
			30,
			speeds(patches, httpRequest),
		),
		fast(
			'List of 100,000 rows, pages of 1,000, 20 ms: speed',
			`${httpRequest} with its pagination`,
			3,
			speeds(list, httpRequest),
		),
		fast('10 uploads of 10 MB: speed', httpRequest, 1, speeds(files, httpRequest)),
		fast('Upload of 1 GB: speed', `${axiosUpload}, streamed`, 0.97, speeds(bigFile, axiosUpload)),
		megabytes(
			'… peak memory',
			'idle',
			100,
			worsts(bigFile, (round) => round.megabytes),
		),
		count(
			'20,000 creates: connections at once',
			'–',
			256,
			worsts(many, ({ connections }) => connections),
		),
		milliseconds(
			'… longest stall of the event loop',
			'–',
			250,
			worsts(many, ({ stall }) => stall),
		),
		milliseconds('Loading all nodes and the credential', '–', 60, [median(loads)]),
	];
}
