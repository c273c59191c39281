// What the first requests show: whether the service is there, accepts key and account, and what it gives to read.
import { Failure, type FailureCode } from '../../failure';
import { CannotTell, nothingToSet, type Finding, type Question } from '../findings';
import { firstReading, isReading, overviewOf, type ListOverview } from '../overview';
import type { CheckSession } from '../session';

/** The steps that a request takes before it is answered with rows, in their order. */
const steps = ['address', 'key', 'signIn', 'token'] as const;

type Step = (typeof steps)[number];

/** The step at which a request failed, by the code of its failure. */
const stepByCode: Partial<Record<FailureCode, Step>> = {
	noConnection: 'address',
	noAnswer: 'address',
	credentialUnusable: 'address',
	signInUnavailable: 'address',
	keyRefused: 'key',
	signInRefused: 'signIn',
	tokenRefused: 'token',
};

/**
 * How many steps a request is known to have taken. One that was answered with a status took them all, unless its
 * failure belongs to a step; of any other failure nothing is known.
 */
function stepsTaken(reading: ListOverview['reading']): number {
	if (isReading(reading)) return steps.length;
	const failedAt = stepByCode[reading.code];
	if (failedAt !== undefined) return steps.indexOf(failedAt);
	return reading.details.status === undefined ? -1 : steps.length;
}

/**
 * Whether the requests got past a step.
 * @returns a reading that shows it, or the failure of the step itself
 * @throws CannotTell when they did not get as far
 */
async function passed(session: CheckSession, step: Step): Promise<ListOverview['reading']> {
	const overview = await overviewOf(session);
	const readings = overview.map(({ reading }) => reading);
	const [furthest] = readings.sort((one, other) => stepsTaken(other) - stepsTaken(one));
	if (stepsTaken(furthest!) >= steps.indexOf(step)) return furthest!;
	if (furthest instanceof Failure && stepsTaken(furthest) < 0)
		throw new CannotTell(furthest.message, [], furthest.details.advice);
	throw new CannotTell(
		'The requests did not get as far.',
		[],
		'Run the check again when what is named above is right.',
	);
}

/** The question whether a step succeeds. */
const stepQuestion = (
	question: string,
	step: Step,
	success: (session: CheckSession) => Pick<Finding, 'answer'> & Partial<Finding>,
): Question<CheckSession> => ({
	question,
	async findOut(session) {
		const reading = await passed(session, step);
		if (isReading(reading) || stepByCode[reading.code] !== step) {
			const evidence = [isReading(reading) ? reading.evidence : reading.message];
			return { means: nothingToSet, evidence, certainty: 'yes', ...success(session) };
		}
		const { message, details } = reading;
		return {
			answer: `No. ${message}`,
			means: details.retryable
				? 'Run the check again later.'
				: (details.advice ?? 'Correct the credential.'),
			isObstacle: true,
			evidence: details.status === undefined ? [] : [`Status ${details.status}`],
			certainty: 'yes',
		};
	},
});

export const addressQuestion = stepQuestion(
	'Does the service answer?',
	'address',
	({ settings }) => {
		const { origin, protocol } = new URL(settings.baseUrl);
		return protocol === 'https:'
			? { answer: `Yes, at ${origin}, with a TLS certificate that n8n trusts.` }
			: {
					answer: `Yes, at ${origin}, without TLS.`,
					means: 'Only for a service on the machine that runs n8n.',
				};
	},
);

export const keyQuestion = stepQuestion('Is the subscription key accepted?', 'key', () => ({
	answer: 'Yes.',
}));

export const signInQuestion = stepQuestion(
	'Can the account sign in?',
	'signIn',
	({ settings }) => ({
		answer: `Yes, by ${settings.grantType === 'password' ? 'its password' : 'an authorization code'}.`,
	}),
);

/** Seconds; of less than that a clock is right, since answers take their time. */
const clockTolerance = 60;

export const clockQuestion: Question<CheckSession> = {
	question: "Is the service's clock right?",
	async findOut(session) {
		const reading = await firstReading(session);
		const date = reading && Date.parse(String(reading.headers.date));
		if (reading === undefined || date === undefined || Number.isNaN(date)) {
			throw new CannotTell('No answer says what time it is for the service.');
		}
		const behind = Math.round((reading.receivedAt - date) / 1000);
		const isRight = Math.abs(behind) < clockTolerance;
		const evidence = [
			`Date: ${String(reading.headers.date)}; here it was ${new Date(reading.receivedAt).toUTCString()}`,
		];
		if (isRight) {
			return { answer: 'Yes, within a minute.', means: nothingToSet, evidence, certainty: 'yes' };
		}
		const minutes = Math.ceil(Math.abs(behind) / 60);
		return {
			answer: `It is ${minutes} minutes ${behind > 0 ? 'behind' : 'ahead of'} that of n8n.`,
			means: `Find out which of the two is wrong. In the trigger, set 'Overlap (Minutes)' to ${minutes + 10} at least if it asks by 'Changes Since'.`,
			evidence,
			certainty: 'yes',
			compared: behind > 0 ? 'behind' : 'ahead',
		};
	},
};

export const permissionsQuestion: Question<CheckSession> = {
	question: 'Which lists may the account read?',
	async findOut(session) {
		const overview = await overviewOf(session);
		const labelled = (matches: (reading: ListOverview['reading']) => boolean): string =>
			overview
				.filter(({ reading }) => matches(reading))
				.map(({ list }) => list.label)
				.join(', ');
		const readable = labelled(isReading);
		const others = labelled((reading) => !isReading(reading));
		const failures = overview
			.map(({ reading }) => reading)
			.filter((reading) => reading instanceof Failure);
		const evidence = overview.map(({ reading }) =>
			isReading(reading) ? reading.evidence : reading.message,
		);
		if (readable === '') {
			const { message, details } = failures[0]!;
			const isForbidden = failures.every(({ code }) => code === 'notPermitted');
			if (!isForbidden) throw new CannotTell(`None: ${message}`, [], details.advice);
			return {
				answer: `None of those that were tried: ${message}`,
				means: details.advice ?? '',
				isObstacle: true,
				evidence,
				certainty: 'yes',
			};
		}
		return {
			answer: others === '' ? `All that were tried: ${readable}.` : `${readable}; not: ${others}.`,
			means:
				others === ''
					? nothingToSet
					: "Ask the service's owner to permit it, where a workflow needs it.",
			evidence,
			certainty: 'yes',
		};
	},
};
