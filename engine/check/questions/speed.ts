// How long answers take, whether several requests at once take longer, and which limits the service names.
import { CannotTell, nothingToSet, type Question } from '../findings';
import { mainList, readingsOf } from '../overview';
import type { CheckSession, Reading } from '../session';

/** How many requests are compared: one after the other, and all at once. */
const compared = 8;

/** @param share 0.5 for the median */
const quantile = (values: readonly number[], share: number): number => {
	const sorted = [...values].sort((a, b) => a - b);
	return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))]!;
};

const inMilliseconds = (delay: number): string => `${Math.round(delay)} ms`;

export const parallelQuestion: Question<CheckSession> = {
	question: `Are ${compared} requests at once answered more slowly than one?`,
	async findOut(session) {
		const { operation } = await mainList(session);
		const readOne = () => session.read(operation, { limit: 1 });
		const alone: Reading[] = [];
		for (let count = 0; count < compared; count++) alone.push(await readOne());
		const together = await Promise.all(Array.from({ length: compared }, readOne));
		const delaysOf = (readings: readonly Reading[]): number[] =>
			readings.flatMap(({ delay, tries }) => (delay === undefined || tries > 1 ? [] : [delay]));
		const [one, several] = [delaysOf(alone), delaysOf(together)];
		if (one.length < compared || several.length < compared) {
			throw new CannotTell(
				'The service asked to wait in between.',
				[],
				'The nodes send as many at once as the service answers well.',
			);
		}
		const [before, after] = [quantile(one, 0.5), quantile(several, 0.5)];
		const isSlower = after > 2 * before + 50;
		const times = `${inMilliseconds(after)} instead of ${inMilliseconds(before)}`;
		return {
			answer: isSlower ? `Yes: ${times}.` : `No: ${times}.`,
			means: `The nodes find out how many at once are good. ${nothingToSet}`,
			evidence: [
				`${compared} × GET one after the other: median ${inMilliseconds(before)}`,
				`${compared} × GET at once: median ${inMilliseconds(after)}`,
			],
			certainty: 'likely',
			compared: '',
		};
	},
};

export const delayQuestion: Question<CheckSession> = {
	question: 'How long do answers take?',
	findOut({ delays }) {
		if (delays.length === 0) throw new CannotTell('No answer came.');
		const median = quantile(delays, 0.5);
		const slow = quantile(delays, 0.95);
		return {
			answer: `Half of them took ${inMilliseconds(median)} or less, and 95 of 100 took ${inMilliseconds(slow)} or less.`,
			means: nothingToSet,
			evidence: [`${delays.length} reads`],
			certainty: 'yes',
			compared: '',
		};
	},
};

/** Headers in which services name limits: those of RFC drafts, of Azure API Management, and the usual ones. */
const isLimitHeader = (name: string): boolean => /rate-?limit|quota|^retry-after$/i.test(name);

export const limitsQuestion: Question<CheckSession> = {
	question: 'Which limits does the service name?',
	async findOut(session) {
		const readings = await readingsOf(session);
		if (readings.length === 0) throw new CannotTell('No list could be read.');
		const limits = new Map(
			readings.flatMap(({ headers }) =>
				Object.entries(headers).filter(([name]) => isLimitHeader(name)),
			),
		);
		const named = [...limits].map(([name, value]) => `${name}: ${String(value)}`);
		return {
			answer: named.length === 0 ? 'None in its headers.' : named.join('; '),
			means: nothingToSet,
			evidence: [],
			certainty: 'yes',
			compared: [...limits.keys()].sort().join(),
		};
	},
};
