// What the first readings show: whether the service accepts address, key, account and token, and what it gives to read.
import type { AskQuestion, Finding } from '../findings';
import { cannotTell, checkLater, type CheckSession, type ListReading } from '../session';
import { askSetting } from '../settingQuestion';

export const checkHeader: AskQuestion = async (session) =>
	await askSetting(session, 'authorizationHeader', {
		async whyRejected() {
			const { firstReadings } = session;
			const { failure, summary } =
				firstReadings.find((reading) => !reading.failure) ?? firstReadings[0]!;
			session.evidence = summary;
			if (!failure) return undefined;
			if (failure.code === 'tokenRefused') return 'is refused';
			throw failure;
		},
	});

const labelsOf = (readings: readonly ListReading[]): string =>
	readings.map(({ list }) => list.label).join(', ');

export async function checkLists(session: CheckSession): Promise<Finding> {
	const readable = session.firstReadings.filter(({ failure }) => !failure);
	const others = session.firstReadings.filter(({ failure }) => failure);
	session.evidence = (readable[0] ?? others[0]!).summary;
	if (others.length === 0) return { answer: `All lists tried: ${labelsOf(readable)}.` };
	const failures = others.map(({ failure }) => failure!);
	if (readable.length === 0) {
		const { message, details, advice = 'Correct the credential.' } = failures[0]!;
		const answer = `None of the lists tried: ${message}`;
		if (details.retryable) throw cannotTell(answer, checkLater);
		return { answer, action: advice, confidence: details.status! < 400 ? 'likely' : undefined };
	}
	const answer = `${labelsOf(readable)}; not: ${labelsOf(others)}.`;
	const unexplained = failures.find(({ code }) => code !== 'notPermitted');
	if (unexplained) {
		const { message, advice } = unexplained;
		return { answer: `${answer} ${message}`, action: advice, confidence: 'likely' };
	}
	const action = `If a workflow needs them, ask the service owner for access to: ${labelsOf(others)}.`;
	return { answer, action };
}
