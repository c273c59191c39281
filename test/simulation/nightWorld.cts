// Nights of a sheet: rows are put in, deleted, corrected, sorted and renumbered, the node's key, account and start change,
// and runs stop or die. What n8n tells of each row, and what it sends, is held against the law of Send Once.
import fc from 'fast-check';
import type { IDataObject, WorkflowExecuteMode } from 'n8n-workflow';

import { aDay } from '../harness/aDay.mts';
import { Execution } from './execution.cts';
import { evaluated } from './expressions.cts';
import {
	doubts,
	KeyLaw,
	type Answer,
	type Comparison,
	type Fate,
	type KeyedRow,
	type Verdict,
} from './keyLaw.cts';
import { N8nProcess } from './n8nProcess.cts';
import { openScheduleWorld } from './scheduleWorld.cts';
import { ShiftSchedules } from './shiftSchedules.cts';
import type { PlanOf } from './world.cts';

/** The keys that people give. */
const keys = [
	'={{ $json.id }}',
	'={{ $json.id }}{{ $json.name }}',
	'={{ $json.id }} {{ $json.name }}',
	'={{ $json.list }} {{ $json.id }}',
	'={{ $json.row_number }}',
	'={{ $today.toISODate() }} {{ $json.id }}',
];

/** Those of which no later run would find a row, or it would find another one. */
const uselessKeys = [
	'={{ $json.station }}-{{ $itemIndex }}',
	"={{ $now.toFormat('HH:mm') }} {{ $json.id }}",
	'={{ $execution.id }} {{ $json.id }}',
];

const later = '$now.plus({ days: 400 }).toISO()';
const fields = { ...aDay, name: '={{ $json.name }}' };
const record = `={{ { fromDate: "${aDay.fromDate}", toDate: ${later}, name: $json.name } }}`;

/** One expression that gives a row without an ID no key. */
const optionsByExpression = ({ sendOnceKey, ...others }: IDataObject): string => {
	const key = (sendOnceKey as string).slice(1).replace(/\{\{ (.*?) \}\}/g, '${$1}');
	return `={{ ({ ...${JSON.stringify(others)}, ...($json.id && { sendOnceKey: \`${key}\` }) }) }}`;
};
const request = { resource: 'request', operation: 'post', path: '/schedules', body: record };

/** How the node is filled in, and which values of a record are the same each time that they are read. */
const forms = {
	fields: ['all', (options) => ({ fields, options })],
	optionsByExpression: ['all', (options) => ({ fields, options: optionsByExpression(options) })],
	update: [
		'all',
		(options) => ({
			...request,
			operation: 'put',
			path: '=/schedules/{{ $json.own }}',
			body: '={{ { name: $json.name } }}',
			options,
		}),
	],
	oneFieldWithTheTime: [
		'some',
		(options) => ({ fields: { ...fields, toDate: `={{ ${later} }}` }, options }),
	],
	otherFieldsWithTheTime: [
		'some',
		(options) => ({ fields, options: { ...options, additionalFields: `={{ { at: ${later} } }}` } }),
	],
	fieldsByExpressionWithTheTime: ['some', (options) => ({ fields: record, options })],
	bodyByExpressionWithTheTime: ['none', (options) => ({ ...request, options })],
} satisfies Record<
	string,
	[lasting: Comparison['lasting'], saved: (options: IDataObject) => IDataObject]
>;

/** What happens to a sheet, or to its row at a place. */
const edits: Record<string, (sheet: Sheet, at: number, now: number) => void> = {
	top: (sheet) => sheet.put(0),
	middle: (sheet) => sheet.put(sheet.rows.length >> 1),
	end: (sheet) => sheet.put(sheet.rows.length),
	delete: (sheet, at) => void sheet.rows.splice(at, 1),
	correct: ({ rows }, at, now) => void (rows[at]!.name = `row ${rows[at]!.own}, ${now} ms`),
	sort: ({ rows }) => void rows.reverse(),
	renumber: ({ rows }) => rows.forEach((row, n) => (row.id = n + 1)),
	equal: (sheet, at) => sheet.put(sheet.rows.length, { name: sheet.rows[at]!.name }),
	otherList: ({ rows, newRow }, at) =>
		rows.splice(0, at + 1, ...rows.slice(0, at + 1).map(({ id }) => newRow({ id, list: 'B' }))),
};

const someFaults = ['refused', 'cutBefore', 'cutAfter'] as const;

/** @param nights in how many nights it happens once */
const onceIn = <Value,>(nights: number, value: fc.Arbitrary<Value>) =>
	fc.oneof(
		{ weight: nights - 1, arbitrary: fc.constant(undefined) },
		{ weight: 1, arbitrary: value },
	);

const someNights = fc.record({
	edits: fc.array(fc.tuple(fc.constantFrom(...Object.keys(edits)), fc.nat(20)), { maxLength: 3 }),
	keyExpression: fc.oneof(
		{ weight: 6, arbitrary: fc.constant(keys[0]!) },
		{ weight: 6, arbitrary: fc.constantFrom(...keys) },
		{ weight: 1, arbitrary: fc.constantFrom(...uselessKeys) },
	),
	user: onceIn(10, fc.constant('captain')),
	mode: fc.constantFrom<WorkflowExecuteMode>('trigger', 'trigger', 'manual', 'integrated', 'retry'),
	/** Rows of a run: a loop has several runs. */
	batch: fc.constantFrom(100, 100, 5, 1),
	/** Whether only one row arrives, as by a webhook. */
	isOneRow: onceIn(5, fc.constant(true)),
	/** The row without an ID, if any. */
	blank: onceIn(6, fc.nat(10)),
	checkOnly: onceIn(9, fc.constant(true)),
	/** An answer that is left on in the node. */
	leftOn: onceIn(12, fc.constantFrom<Answer>('areThere', 'areNotThere', 'allAreThere')),
	continueOnFail: fc.boolean(),
	/** By request. */
	faults: fc.array(fc.tuple(fc.nat(20), fc.constantFrom(...someFaults)), { maxLength: 2 }),
	/** Milliseconds until a person cancels the execution, and steps until the process dies. */
	stoppedAfter: onceIn(3, fc.oneof(fc.nat(50), fc.nat(150))),
	diesAt: onceIn(6, fc.nat(150)),
	/** Whether a person then looks up the rows in doubt. */
	isLookedUp: fc.boolean(),
	minutesLater: fc.constantFrom(1, 1440),
});

export const nightPlans = fc.record({
	seed: fc.integer(),
	form: fc.constantFrom(...(Object.keys(forms) as Array<keyof typeof forms>), 'fields', 'fields'),
	isByKey: onceIn(5, fc.constant(true)),
	rows: fc.integer({ min: 1, max: 12 }),
	/** Whether the records of the first night's rows are there already, and a person has n8n remember them. */
	areThere: onceIn(4, fc.constant(true)),
	parallelRequests: fc.constantFrom(1, 4, 16),
	nights: fc.array(someNights, { minLength: 1, maxLength: 6 }),
});

type NightPlan = PlanOf<typeof nightPlans>;
type Night = NightPlan['nights'][number];

/** A run of some rows of the sheet. */
interface RunPlan {
	rows: readonly IDataObject[];
	keyExpression: string;
	user: string;
	answer: Answer;
	mode: WorkflowExecuteMode;
	runIndex?: number;
	retryOf?: Execution;
	/** What happens to it, besides. */
	night?: Night;
}

/** A row of the sheet. */
interface Row {
	/** Stays with the row, whatever happens to its columns. */
	readonly own: number;
	id: number;
	list: string;
	name: string;
}

class Sheet {
	readonly rows: Row[] = [];

	private count = 0;

	/** The names that rows have had, by the rows. */
	readonly names = new Map<number, Set<string>>();

	readonly newRow = (given: Partial<Row> = {}): Row => {
		const own = this.count++;
		const id = Math.max(0, ...this.rows.map((row) => row.id)) + 1;
		return { own, id, list: 'A', name: `row ${own}`, ...given };
	};

	put(at: number, given?: Partial<Row>): void {
		this.rows.splice(at, 0, this.newRow(given));
	}

	/** @returns the rows as a spreadsheet gives them */
	read(): IDataObject[] {
		for (const { own, name } of this.rows)
			this.names.set(own, (this.names.get(own) ?? new Set()).add(name));
		return this.rows.map((row, n) => ({ ...row, row_number: n + 2, station: 4 }));
	}
}

/** The service, which also knows the worst status of an execution's requests by name; 0 without a response. */
class WatchedSchedules extends ShiftSchedules {
	private readonly statuses = new Map<object, Map<string, number[]>>();

	requestCount = 0;

	override async request(...of: Parameters<ShiftSchedules['request']>) {
		const [, { url, body }, , execution = this] = of;
		if (url.includes('/authpass/')) return await super.request(...of);
		this.requestCount++;
		const { name } = JSON.parse(body as unknown as string) as { name: string };
		const byName = this.statuses.get(execution) ?? new Map<string, number[]>();
		this.statuses.set(execution, byName);
		const ofName = byName.get(name) ?? [];
		byName.set(name, ofName);
		const at = ofName.push(0) - 1;
		const response = await super.request(...of);
		ofName[at] = response.statusCode;
		return response;
	}

	/** @returns undefined if the execution has made no request */
	asked(execution: object): Map<string, number> | undefined {
		const byName = this.statuses.get(execution);
		const worst = (of: number[]) => (of.includes(0) ? 0 : Math.max(...of));
		return byName && new Map([...byName].map(([name, of]) => [name, worst(of)]));
	}
}

const isWhole = (key: string): boolean => key !== '' && key === key.trim() && !key.includes('  ');

/** What the output tells of a row. */
function toldOf(json: IDataObject): string {
	const { outcome, reason } = (json.error ?? {}) as IDataObject;
	if (outcome === 'inDoubt') return (reason as string | undefined) ?? 'inDoubt';
	if (outcome !== undefined) return outcome as string;
	if (json.wouldSend) return 'wouldSend';
	if (json.changed) return 'changed';
	return json.alreadySent ? 'alreadySent' : 'sent';
}

/** The rows that the report of a run that ended with an error calls not processed, counted from 0. */
function calledNotProcessed(error: Error & { description?: string | null }): number[] {
	const [, list = ''] =
		/Not processed: rows? ([\d–, ]+)/.exec(`${error.message} ${error.description}`) ?? [];
	return list.split(', ').flatMap((range) => {
		const [first = 0, last = first] = range.split('–').map(Number);
		return first ? Array.from({ length: last - first + 1 }, (_, n) => first - 1 + n) : [];
	});
}

/** Lives one world. @throws Error when a law is broken */
export async function liveNights(plan: NightPlan): Promise<void> {
	const { form, parallelRequests } = plan;
	const faults = new Map<number, (typeof someFaults)[number]>();
	const manners = { respondsWithin: 50, retryAfter: 1, tokens: 3, faults };
	const place = openScheduleWorld(plan.seed, 1, manners, {}, WatchedSchedules);
	const { world, running, demand, environment } = place;
	const service = place.service as WatchedSchedules;
	const [lasting, savedOf] = forms[form];
	const comparison = { isByKey: !!plan.isByKey, lasting, isUpdate: form === 'update' };
	const law = new KeyLaw(comparison);
	/** Then nobody can tell a corrected row, or another one with its key. */
	const isNameLeftOut = form.includes('ByExpressionWithTheTime');
	const sheet = new Sheet();
	for (let count = 0; count < plan.rows; count++) sheet.put(count);
	/** The names of rows that may have been sent. */
	const doubtful = new Set<string>();
	/** @param besides a name that does not count */
	const isThere = ({ own }: Row, besides?: string) =>
		[...sheet.names.get(own)!].some((name) => name !== besides && service.count(name) > 0);
	/** A person enters or corrects a record. */
	const enter = ({ name }: Row) =>
		service.creations.set(name, [
			...(service.creations.get(name) ?? []),
			{ by: place, at: world.now },
		]);

	/** @returns the run, and what it told of each row */
	const run = async (planned: RunPlan) => {
		const { rows, keyExpression, user, answer, mode, retryOf, night } = planned;
		const { checkOnly = false, continueOnFail = true, stoppedAfter, diesAt } = night ?? {};
		for (const [request, fault] of night?.faults ?? [])
			faults.set(service.requestCount + request, fault);
		const names = rows.map(({ name }) => name as string);
		const process = running[0]!;
		const credential = { ...environment.credential, username: user };
		const stop = new AbortController();
		if (stoppedAfter !== undefined) world.after(stoppedAfter, () => stop.abort());
		if (diesAt !== undefined) process.troubles.set(process.steps + diesAt, () => process.die());
		const options = {
			sendOnceKey: keyExpression,
			sendOnceCompare: plan.isByKey ? 'keys' : 'keysAndValues',
			maxTries: 1,
			parallelRequests,
			...(answer !== 'leave' && { sendOnceLookedUp: answer }),
			...(checkOnly && { checkOnly }),
		};
		const execution = new Execution(
			process,
			{ ...environment, credential },
			{
				names,
				rows,
				saved: savedOf(options),
				mode,
				runIndex: planned.runIndex,
				continueOnFail,
				cancel: stop.signal,
				retryOf,
			},
		);
		const now = world.wallClock;
		const isOnly = ({ name }: IDataObject) =>
			[...sheet.names.values()].filter((names) => names.has(name as string)).length === 1;
		const wereThere = rows.filter((row) => isOnly(row) && isThere(row as unknown as Row));
		const how = { keyExpression, user, answer, mode, checkOnly, continueOnFail };
		world.tell(`a run of ${rows.length} rows begins: ${JSON.stringify(how)}`);
		await Promise.race([execution.run(), process.death]);
		process.troubles.clear();
		faults.clear();
		if (process.isDead) running[0] = new N8nProcess(world, `${process.name}+`);
		const { ended, results } = execution;
		const error = ended?.error;
		world.tell(`the run ends: ${error?.message ?? (ended ? 'with output' : 'killed')}`);
		const isCut = !ended || stop.signal.aborted;
		// A cancelled run gives its keys back later.
		if (isCut) await world.pause(60_000);

		const scopeOf = (n: number) => ({
			$json: rows[n]!,
			$itemIndex: n,
			$runIndex: planned.runIndex ?? 0,
			$execution: { id: '?' },
		});
		const keyed = rows.map((row, n): KeyedRow => {
			const isKeyless = form === 'optionsByExpression' && !row.id;
			const key = isKeyless ? '' : `${(evaluated(keyExpression, now, scopeOf(n)) ?? '') as string}`;
			const sent = [user, !isNameLeftOut && row.name, comparison.isUpdate && row.own];
			return { key, values: JSON.stringify(sent) };
		});
		const isRunRefused =
			(uselessKeys.includes(keyExpression) &&
				!(mode === 'integrated' && keyExpression.includes('$execution'))) ||
			(answer !== 'leave' && mode !== 'manual') ||
			(answer === 'allAreThere' && checkOnly);
		const isRefused = ({ key }: KeyedRow) =>
			isRunRefused || !isWhole(key) || keyed.filter((other) => other.key === key).length > 1;
		const asked = service.asked(execution);
		const wasAsked = (name: string, before?: Execution): boolean =>
			!!before && (!!service.asked(before)?.has(name) || wasAsked(name, before.options.retryOf));
		const told = new Map<number, string>();
		const settled = keyed.map((row, n): readonly [KeyedRow, Fate] => {
			const name = names[n]!;
			const named = `row ${n} (${name}, key ${row.key})`;
			const verdicts = law.verdicts(row, checkOnly ? 'leave' : answer);
			const may: ReadonlySet<string> = isRefused(row) ? new Set(['notSent']) : verdicts;
			const must = [...may].join(' or ');
			const isSent = service.creations.get(name)?.some(({ by }) => by === execution);
			const twins = rows.filter((other) => other.name === name).length;
			if (isSent && twins === 1) {
				demand(may.has('sent') && !checkOnly, `${named} is sent, but must be ${must}`);
				const isDoubled = wereThere.includes(rows[n]!) && !law.maySendAgain(row);
				demand(!isDoubled, `${named} is doubled`);
			}
			const json = results.get(n);
			const status = asked?.get(name);
			const isRefusal = !isCut && !isSent && status !== undefined && status >= 400;
			const isUntold = status === undefined && (answer === 'leave' || (ended && !error && !isCut));
			// Which of several updates with one name was done does not show.
			const unknown = isSent && (twins === 1 || !comparison.isUpdate) ? 'performed' : 'unsettled';
			// A run that does not know what came of a row leaves its values as if they were sent, under any key.
			if (!json || isCut || toldOf(json) === 'inDoubt') doubtful.add(name);
			const guessed = isUntold || isRefusal || isRefused(row) ? 'unsent' : unknown;
			if (!json) return [row, guessed];
			const isTold = toldOf(json);
			told.set(n, isTold);
			world.tell(`${named} is ${isTold}: ${JSON.stringify(json.message ?? '')}`);
			if (['sent', 'alreadySent'].includes(isTold) && !isNameLeftOut && !doubtful.has(name))
				demand(service.count(name) > 0, `${named} is called ${isTold}, but is not there`);
			// A retry shows what the run that it retries told of a row that it settled.
			const isOld =
				wasAsked(name, retryOf) || (retryOf && ['alreadySent', 'changed'].includes(isTold));
			if (isCut || isOld) return [row, guessed];
			const hasFailed = may.has('sent') && ['refused', 'inDoubt'].includes(isTold);
			// Nobody waits for a dead run in a check.
			const isAwaited = isTold === 'awaited' && may.has('unknownOutcome');
			const isAsLaw = may.has(isTold === 'wouldSend' ? 'sent' : isTold) || hasFailed || isAwaited;
			demand(isAsLaw, `${named} is ${isTold}, but must be ${must}`);
			if (isTold === 'inDoubt' || verdicts.has(isTold as Verdict)) return [row, isTold as Fate];
			return [row, guessed];
		});
		if (error && !isCut) {
			for (const n of calledNotProcessed(error))
				demand(!law.knows(keyed[n]!), `row ${n}, which was sent, is called not processed`);
			const isRefusedRun = keyed.some(isRefused);
			demand(!isRefusedRun || !asked, 'a run with refused rows sends nothing under Stop');
			const haveFailed = [...(asked?.values() ?? [])].some((status) => status !== 201);
			for (const [n, row] of keyed.entries()) {
				const isNew = [...law.verdicts(row, answer)].join() === 'sent';
				const mayWait = haveFailed || isRefusedRun || checkOnly || retryOf || !isNew;
				demand(!!mayWait || asked?.has(names[n]!) === true, `row ${n} is new, but is not sent`);
			}
		}
		const mayLackItems = isCut || (error && !continueOnFail);
		demand(mayLackItems || results.size === rows.length, 'each row has an item');
		if (!checkOnly || !ended) law.learn(settled, !ended);
		return { execution, planned, told, hasFailed: error !== undefined || !ended };
	};

	/** A person looks up the rows in doubt of a run, and gives the right answers. */
	const lookUp = async ({ planned, told }: Awaited<ReturnType<typeof run>>): Promise<void> => {
		const groups = new Map<string, IDataObject[]>();
		const open = planned.rows.filter((_, n) => doubts.includes(told.get(n) ?? ''));
		for (const json of open) {
			const row = json as unknown as Row;
			const reason = told.get(planned.rows.indexOf(json))!;
			const alike = (rows: readonly IDataObject[]) => rows.filter(({ name }) => name === row.name);
			const settledTwins = alike(planned.rows).length - alike(open).length;
			const isThisThere = service.count(row.name) > settledTwins + alike(open).indexOf(json);
			let answer: Answer = isThisThere ? 'areThere' : 'areNotThere';
			if (reason === 'otherValues' && comparison.isUpdate) answer = 'areNotThere';
			else if (!isThisThere && isThere(row, row.name)) {
				enter(row);
				answer = 'areThere';
			} else if (reason === 'otherValues' && !isThisThere) continue;
			const group = `${reason} ${answer}`;
			groups.set(group, [...(groups.get(group) ?? []), json]);
		}
		for (const [group, rows] of groups) {
			const answer = group.split(' ')[1] as Answer;
			const others = { night: undefined, retryOf: undefined, mode: 'manual' as const };
			const answered = await run({ ...planned, ...others, rows, answer });
			for (const [n, said] of answered.told)
				demand(['sent', 'alreadySent'].includes(said), `row ${n} is answered, but is ${said}`);
		}
	};

	let last: Awaited<ReturnType<typeof run>> | undefined;
	const live = async (night: Night, isFirst: boolean): Promise<void> => {
		await world.pause(night.minutesLater * 60_000);
		for (const [edit, at] of night.edits)
			if (sheet.rows.length > 0) edits[edit]!(sheet, at % sheet.rows.length, world.now);
		const { keyExpression, user = 'chief' } = night;
		const about = { keyExpression, user, night };
		const rows = sheet.read();
		const blank = rows[(night.blank ?? NaN) % rows.length];
		if (blank) blank.id = '';
		if (isFirst && plan.areThere) {
			for (const row of sheet.rows) enter(row);
			await run({ ...about, rows, answer: 'allAreThere', mode: 'manual' });
			return;
		}
		const isRetry = night.mode === 'retry' && last?.hasFailed;
		const mode = night.mode === 'retry' ? 'trigger' : night.mode;
		const answer = mode === 'manual' ? 'leave' : (night.leftOn ?? 'leave');
		if (isRetry) {
			const planned = { ...last!.planned, ...about, answer, mode: 'retry' as const };
			last = await run({ ...planned, retryOf: last!.execution });
			return;
		}
		const some = night.isOneRow ? rows.slice(0, 1) : rows;
		for (let at = 0; at < some.length; at += night.batch) {
			const ofRun = some.slice(at, at + night.batch);
			last = await run({ ...about, rows: ofRun, answer, mode, runIndex: at / night.batch });
			if (night.isLookedUp && !uselessKeys.includes(keyExpression)) await lookUp(last);
			if (last.hasFailed) break;
		}
	};
	for (const [n, night] of plan.nights.entries()) await world.until(live(night, n === 0));

	// Somebody changes the key, and looks up what is in doubt: each row is there.
	if (comparison.lasting === 'all' && !plan.isByKey && !comparison.isUpdate) {
		const keyExpression = '=row {{ $json.own }}';
		const usual = { user: 'chief', answer: 'leave', mode: 'trigger' } as const;
		const all = { ...usual, keyExpression, rows: sheet.read() };
		for (let morning = 0; morning < 2; morning++)
			await world.until(run(all).then((done) => lookUp(done)));
		const { told } = await world.until(run(all));
		for (const [n, { name }] of sheet.rows.entries()) {
			demand(told.get(n) === 'alreadySent', `in the end, ${name} is ${told.get(n)}`);
			const twins = sheet.rows.filter((other) => other.name === name).length;
			demand(service.count(name) >= twins, `${name} is there ${service.count(name)} times`);
		}
	}
	await world.end();
}
