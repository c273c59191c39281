// How the check asks which value of a setting fits the service: each value is tried, the present one first, until the
// service accepts one.
import { choice, type ScalarField } from '../area';
import { authorizationForms } from '../auth/credentialTest';
import type { Failure } from '../failure';
import { labelOf } from '../form/labels';
import { conventionFields } from '../form/serviceConventions';
import type { Finding } from './findings';
import { cannotTell, refusesParameters, type CheckSession, type CheckSettings } from './session';

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
	/**
	 * Reads with the setting as it is. The first read is the evidence if the service accepts it.
	 * @returns why the service rejects it; undefined when it accepts it
	 * @throws Failure of a read
	 */
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
 * same reason. Unless one is found, the present value is back afterwards.
 * @throws Failure when the service accepts none of the values, or does not answer alike
 */
export async function askSetting(
	session: CheckSession,
	name: keyof CheckSettings,
	{ confidence, advice, ifNone, ...question }: SettingQuestion,
): Promise<Finding> {
	const field = fields.find((one) => one.name === name)!;
	const setting = labelOf(field);
	const { choices = [] } = field;
	const present = session.settings[name];
	const values = new Set([present, ...(question.values ?? choices.map(({ value }) => value))]);
	const inWords = (value: string | number) =>
		choices.find((one) => one.value === value)?.name ?? String(value);
	const whyRejected = async (value: string | number) => {
		await session.use(name, value);
		return await question.whyRejected().catch(async (failure: Failure) => {
			if (refusesParameters(failure)) return 'is refused';
			await session.use(name, present);
			throw failure;
		});
	};
	const rejected = new Map<string | number, string>();
	for (const tried of values) {
		const before = session.readings.length;
		const reason = await whyRejected(tried);
		if (reason !== undefined) {
			rejected.set(tried, reason);
			continue;
		}
		const value = inWords(tried);
		const found = { answer: `${value}.`, setting, value, confidence };
		const evidence = session.readings[before]?.summary ?? session.evidence;
		const isAlike = tried === present || (await whyRejected(present)) === rejected.get(present);
		if (!isAlike) throw cannotTell('The service answered differently when asked again.');
		await session.use(name, tried);
		session.evidence = evidence;
		if (tried === present) return found;
		return { ...found, action: `Set '${setting}' to '${value}' in the credential.` };
	}
	await session.use(name, present);
	const [reason, ...others] = new Set(rejected.values());
	const answer = others.length === 0 ? ifNone?.[reason!] : undefined;
	if (answer !== undefined) return { answer, action: advice, confidence: 'likely' };
	const why = [...rejected].map(([value, reason]) => `${inWords(value)}: ${reason}`).join('; ');
	throw cannotTell(`The service understands none of the values tried (${why}).`, advice);
}
