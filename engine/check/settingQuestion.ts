// How the check asks which value of a setting fits the service: each value is tried, the present one first, until the
// service accepts one.
import type { ScalarField } from '../area';
import { labelOf } from '../form/labels';
import {
	conventionField,
	whereSettingsAre,
	type ServiceConventions,
} from '../form/serviceConventions';
import type { AskQuestion, Finding } from './findings';
import { cannotTell, type CheckSession, type Query, type ListReading } from './session';

/** A question about a setting, as data. */
interface SettingQuestion<Value> {
	present: Value;
	/** The values to try after the present one; without them, all. */
	values?: readonly Value[];
	/** @returns why the service rejects a value; undefined when it accepts it */
	whyRejected: (value: Value) => Promise<string | undefined>;
	/** Does from now on as the setting says once it has another value. */
	use: (value: Value) => Promise<void> | void;
	/** How certain the answer is where the service accepts a value; without it, it is certain. */
	confidence?: 'likely';
	/** What to do when the service accepts none of the values. */
	advice?: string;
	/** What the service does that rejects all values for one reason, by the reason. */
	ifNone?: Readonly<Record<string, string>>;
}

/**
 * Asks about a setting. Another value than the present one counts only if that is rejected before and after, for the
 * same reason.
 * @throws Failure when the service accepts none of the values, or does not answer alike
 */
export async function askSetting<Value extends string | number>(
	session: CheckSession,
	field: ScalarField,
	{ present, whyRejected, confidence, advice, ...question }: SettingQuestion<Value>,
): Promise<Finding> {
	const setting = labelOf(field);
	const { choices = [] } = field;
	const { values = choices.map(({ value }) => value as Value) } = question;
	const inWords = (value: Value) =>
		choices.find((one) => one.value === value)?.name ?? String(value);
	const rejected = new Map<Value, string>();
	for (const value of new Set([present, ...values])) {
		const reason = await whyRejected(value);
		if (reason !== undefined) {
			rejected.set(value, reason);
			continue;
		}
		const fitting = inWords(value);
		const found = { answer: `${fitting}.`, setting, value: fitting, confidence };
		if (value === present) return found;
		const { evidence } = session;
		if ((await whyRejected(present)) !== rejected.get(present))
			throw cannotTell('The service did not answer alike when it was asked again.');
		await question.use(value);
		session.evidence = evidence;
		return {
			...found,
			action: `Set '${setting}' to '${fitting}' ${whereSettingsAre}.`,
			change: true,
		};
	}
	const [reason, ...others] = new Set(rejected.values());
	const answer = others.length === 0 ? question.ifNone?.[reason!] : undefined;
	if (answer !== undefined) return { answer, action: advice, confidence: 'likely' };
	const why = [...rejected].map(([value, reason]) => `${inWords(value)}: ${reason}`).join('; ');
	const none = `The service understands none of those that were tried (${why}).`;
	throw cannotTell(none, advice);
}

/** A read that shows whether the service accepts a value. */
export interface Probe {
	query: Query;
	/** @returns why these are not the rows of a service that accepts the value */
	whyRejected: (reading: ListReading) => string | undefined;
	/** Whether a refusal says nothing against the value. */
	mayBeRefused?: boolean;
}

/** Reads again what others are compared with. */
export const sameAgain = (session: CheckSession): Probe => {
	const { sample, keysOf } = session.mainList();
	const contentsOf = (reading: ListReading) => [reading.totalRows, ...keysOf(reading)].join();
	return {
		query: sample.query,
		whyRejected: (again) =>
			contentsOf(again) === contentsOf(sample)
				? undefined
				: 'the list was not the same when it was read again',
	};
};

/** The evidence of a value that is accepted is the first probe. */
async function whyProbesReject(session: CheckSession, probes: readonly Probe[]) {
	let evidence: string | undefined;
	for (const probe of probes) {
		const reading = await session.readUnlessRefused(probe.query);
		evidence ??= session.evidence;
		if (!reading && probe.mayBeRefused) continue;
		const reason = reading ? probe.whyRejected(reading) : 'is refused';
		if (reason !== undefined) return reason;
	}
	session.evidence = evidence!;
	return undefined;
}

/** A question about one of the settings of how the service works. */
interface ConventionQuestion<Value>
	extends Pick<SettingQuestion<Value>, 'values' | 'confidence' | 'advice' | 'ifNone'> {
	/** Each has to accept the value. */
	probes: (value: Value) => readonly Probe[];
}

/**
 * Makes a question of its data.
 * @param prepare gives the data; undefined when the question does not arise. Throws Failure when nothing that was read
 * could tell.
 */
export const conventionQuestion =
	<Name extends keyof ServiceConventions>(
		name: Name,
		prepare: (session: CheckSession) => ConventionQuestion<ServiceConventions[Name]> | undefined,
	): AskQuestion =>
	async (session) => {
		const question = prepare(session);
		if (!question) return undefined;
		return await askSetting(session, conventionField(name), {
			present: session.conventions[name],
			whyRejected: (value) => whyProbesReject(session, question.probes(value)),
			use: (value) => void (session.conventions[name] = value),
			...question,
		});
	};
