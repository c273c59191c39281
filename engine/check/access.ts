// Whether the service accepts address, key, account and token, and what it gives to read.
import { authorizationFormOf, authorizationForms } from '../auth/credentialTest';
import { cannotTell, findAccepted, setTo, type Finding } from './findings';
import { readFirstRows, type CheckSession, type Reading } from './session';

export async function checkSignIn(session: CheckSession): Promise<Finding> {
	const { credentials } = session.access;
	const present = authorizationFormOf(credentials.authorizationHeader);
	const other = present === 'token' ? 'bearer' : 'token';
	const isAccepted = async (form: typeof present) => {
		credentials.authorizationHeader = form;
		const failures = (await readFirstRows(session)).map(({ failure }) => failure);
		if (failures.includes(undefined)) return true;
		// Any other refusal, even a 403, may come from what stands before the service and has not read the token.
		if (failures[0]!.code === 'tokenRefused') return false;
		throw failures[0]!;
	};
	const form = await findAccepted([present, other], isAccepted);
	if (form === undefined) {
		const action = 'Ask the service owner what this account may do, and how the token is written.';
		return { answer: 'The service refuses its own tokens.', action, confidence: 'likely' };
	}
	const { label } = authorizationForms[form];
	if (form === present) return { answer: `Yes; ${label}.` };
	// The last one that was tried is the present one.
	await isAccepted(form);
	return { answer: `Yes; ${label}.`, action: setTo('Authorization Header', label) };
}

const labelsOf = (readings: readonly Reading[]): string =>
	readings.map(({ list }) => list.label).join(', ');

export async function checkLists({ firstReadings }: CheckSession): Promise<Finding> {
	const readable = firstReadings.filter(({ failure }) => !failure);
	const others = firstReadings.filter(({ failure }) => failure);
	if (readable.length === 0) throw cannotTell('No list could be read.');
	if (others.length === 0) return { answer: `All lists tried: ${labelsOf(readable)}.` };
	const unexplained = others.find(({ failure }) => failure!.code !== 'notPermitted');
	const { message } = (unexplained ?? others[0]!).failure!;
	return {
		answer: `${labelsOf(readable)}; not: ${labelsOf(others)} (${message}).`,
		action: `If a workflow needs them, ask the service owner for access to: ${labelsOf(others)}.`,
		confidence: unexplained ? 'likely' : 'yes',
	};
}
