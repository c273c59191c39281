// How the check asks which value of a setting fits the service: each value is tried, the present one first, until the
// service accepts one.
import { choice, type ScalarField } from '../area';
import { authorizationForms } from '../auth/credentialTest';
import { labelOf } from '../form/labels';
import { conventionFields, whereSettingsAre } from '../form/serviceConventions';
import type { AskQuestion, Finding } from './findings';
import {
	cannotTell,
	type CheckSession,
	type CheckSettings,
	type ListReading,
	type Query,
} from './session';

/** All settings that the check asks about. */
const fields: readonly ScalarField[] = [
	choice('authorizationHeader', {
		choices: Object.entries(authorizationForms).map(([value, { label }]) => ({
			value,
			name: label,
		})),
	}),
	...conventionFields,
];

/** A question about a setting, as data. */
interface SettingQuestion {
	/** The values to try after the present one; without them, all that the form offers. */
	values?: readonly number[];
	/** @returns why the service rejects the setting as it is; undefined when it accepts it */
	whyRejected: () => Promise<string | undefined>;
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
async function askSetting(
	session: CheckSession,
	name: keyof CheckSettings,
	{ whyRejected, confidence, advice, ifNone, ...question }: SettingQuestion,
): Promise<Finding> {
	const field = fields.find((one) => one.name === name)!;
	const setting = labelOf(field);
	const { choices = [] } = field;
	const present = session.settings[name];
	const values = new Set([present, ...(question.values ?? choices.map(({ value }) => value))]);
	const inWords = (value: string | number) =>
		choices.find((one) => one.value === value)?.name ?? String(value);
	const rejected = new Map<string | number, string>();
	for (const tried of values) {
		await session.use(name, tried);
		const reason = await whyRejected();
		if (reason !== undefined) {
			rejected.set(tried, reason);
			continue;
		}
		const value = inWords(tried);
		const found = { answer: `${value}.`, setting, value, confidence };
		if (tried === present) return found;
		const { evidence } = session;
		await session.use(name, present);
		if ((await whyRejected()) !== rejected.get(present))
			throw cannotTell('The service did not answer alike when it was asked again.');
		await session.use(name, tried);
		session.evidence = evidence;
		return {
			...found,
			action: `Set '${setting}' to '${value}' ${whereSettingsAre}.`,
			change: true,
		};
	}
	const [reason, ...others] = new Set(rejected.values());
	const answer = others.length === 0 ? ifNone?.[reason!] : undefined;
	if (answer !== undefined) return { answer, action: advice, confidence: 'likely' };
	const why = [...rejected].map(([value, reason]) => `${inWords(value)}: ${reason}`).join('; ');
	throw cannotTell(`The service understands none of those that were tried (${why}).`, advice);
}

/**
 * Makes a question of its data.
 * @param prepare gives the data; undefined when the question does not arise. Throws Failure when nothing that was read
 * could tell.
 */
export const settingQuestion =
	(
		name: keyof CheckSettings,
		prepare: (session: CheckSession) => SettingQuestion | undefined,
	): AskQuestion =>
	async (session) => {
		const question = prepare(session);
		return question && (await askSetting(session, name, question));
	};

/** A read that shows whether the service accepts the settings as they are. */
export interface Probe {
	query: Query;
	/** @returns why these are not the rows of a service that accepts them */
	whyRejected: (reading: ListReading) => string | undefined;
	/** Whether a refusal says nothing against them. */
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

/**
 * Judges a setting by reads.
 * @param probes of which each has to accept it; the first is the evidence if all do
 */
export const rejectedBy = (session: CheckSession, probes: () => readonly Probe[]) => async () => {
	let evidence: string | undefined;
	for (const probe of probes()) {
		const reading = await session.readUnlessRefused(probe.query);
		evidence ??= session.evidence;
		if (!reading && probe.mayBeRefused) continue;
		const reason = reading ? probe.whyRejected(reading) : 'is refused';
		if (reason !== undefined) return reason;
	}
	session.evidence = evidence!;
	return undefined;
};
