// How the check asks which value of a setting fits the service: each value is tried by some reads, the present one
// first, until the service accepts one.
import {
	conventionInWords,
	conventionLabel,
	conventionValues,
	whereConventionsAre,
	type ServiceConventions,
} from '../form/serviceConventions';
import { settingFinding, type AskQuestion, type Finding } from './findings';
import { cannotTell, type CheckSession, type Query, type ListReading } from './session';

/** A read that shows whether the service accepts a value. */
export interface Probe {
	query: Query;
	/** @returns why these are not the rows of a service that accepts the value */
	whyRejected: (reading: ListReading) => string | undefined;
	/** Whether a refusal says nothing against the value. */
	mayBeRefused?: boolean;
}

/** A question about a setting, as data. */
interface ConventionQuestion<Value> {
	/** The values to try after the present one; without them, all. */
	values?: readonly Value[];
	/** Each has to accept the value; the first is the evidence of the answer. */
	probes: (value: Value) => readonly Probe[];
	/** How certain the answer is where all probes accept a value; without it, `yes`. */
	confidence?: 'likely';
	/** What to do when the service accepts none of the values. */
	advice: string;
	/** @returns the finding if the reasons against all values show more than that */
	ifNone?: (reasons: readonly string[]) => Promise<Finding | undefined>;
}

/** Reads again what others are compared with. */
export const sameAgain = (session: CheckSession, before: ListReading): Probe => {
	const { keysOf } = session.mainList();
	const contentsOf = (reading: ListReading) => [reading.totalRows, ...keysOf(reading)].join();
	return {
		query: before.query,
		whyRejected: (again) =>
			contentsOf(again) === contentsOf(before)
				? undefined
				: 'the list was not the same when it was read again',
	};
};

/** @returns why a probe rejects the value; undefined when all accept it */
async function whyRejected(session: CheckSession, probes: readonly Probe[]) {
	const summaries: string[] = [];
	for (const probe of probes) {
		const reading = await session.readUnlessRefused(probe.query);
		summaries.push(session.evidence);
		if (!reading && probe.mayBeRefused) continue;
		const reason = reading ? probe.whyRejected(reading) : 'is refused';
		if (reason !== undefined) return reason;
	}
	session.evidence = summaries[0]!;
	return undefined;
}

/**
 * Makes a question of its data. Another value than the present one counts only if that is rejected before and after,
 * for the same reason.
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
		const {
			values = conventionValues(name),
			probes,
			confidence = 'yes',
			advice,
			ifNone,
		} = question;
		const present = session.access.conventions[name];
		const inWords = (value: ServiceConventions[Name]) => conventionInWords(name, value);
		const rejected = new Map<ServiceConventions[Name], string>();
		for (const value of new Set([present, ...values])) {
			const reason = await whyRejected(session, probes(value));
			if (reason !== undefined) {
				rejected.set(value, reason);
				continue;
			}
			const { evidence } = session;
			const isAlike =
				value === present ||
				(await whyRejected(session, probes(present))) === rejected.get(present);
			if (!isAlike) throw cannotTell('The service did not answer alike when it was asked again.');
			session.evidence = evidence;
			session.found[name] = value;
			const values = { value: inWords(value), current: inWords(present) };
			const setting = { setting: conventionLabel(name), ...values };
			return { ...settingFinding(`${values.value}.`, setting, whereConventionsAre), confidence };
		}
		const otherFinding = await ifNone?.([...rejected.values()]);
		if (otherFinding) return otherFinding;
		const why = [...rejected].map(([value, reason]) => `${inWords(value)}: ${reason}`).join('; ');
		throw cannotTell(`The service understands none of those that were tried (${why}).`, advice);
	};
