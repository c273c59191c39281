// Whether the service accepts address, key, account and token, and what it gives to read.
import { authorizationFormOf, authorizationForms } from '../auth/credentialTest';
import { cannotTell, findAccepted, setTo, type Finding } from './findings';
import { readFirstRows, type CheckSession, type Reading } from './session';

/** Whether a list can be read, or only not by this account: for that, the service has accepted the token. */
const isTokenAccepted = ({ failure }: Reading): boolean =>
	!failure || failure.code === 'notPermitted';

export async function checkSignIn(session: CheckSession): Promise<Finding> {
	const { credentials } = session.access;
	const present = authorizationFormOf(credentials.authorizationHeader);
	const other = present === 'token' ? 'bearer' : 'token';
	const isAccepted = async (form: typeof present) => {
		credentials.authorizationHeader = form;
		const readings = await readFirstRows(session);
		const { failure } = readings[0]!;
		if (readings.some(isTokenAccepted)) return true;
		if (failure?.code === 'tokenRefused') return false;
		throw failure!;
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
	if (others.length === 0) return { answer: `All lists tried: ${labelsOf(readable)}.` };
	if (!firstReadings.some(isTokenAccepted)) throw cannotTell('No list could be read.');
	const isForbidden = others.every(({ failure }) => failure!.code === 'notPermitted');
	return {
		answer: `${labelsOf(readable) || 'None'}; not: ${others.map(({ summary }) => summary).join('; ')}`,
		action: `If a workflow needs them, ask the service owner for access to: ${labelsOf(others)}.`,
		confidence: isForbidden ? 'yes' : 'likely',
	};
}
