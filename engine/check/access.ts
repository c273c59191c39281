// Whether the service accepts address, key, account and token, and what it gives to read.
import { authorizationFormOf, authorizationForms } from '../auth/credentialTest';
import { adviceOtherKey } from '../http/gatewayAnswer';
import { cannotTell, findAccepted, setTo, type Finding } from './findings';
import { readFirstPages, type CheckedPage, type CheckSession } from './session';

const labelsOf = (pages: readonly CheckedPage[]): string =>
	pages.map(({ list }) => list.label).join(', ');

/** Whether the gateway refused the key to a list, and not to a sign-in. */
const isKeyRefused = ({ failure }: CheckedPage): boolean =>
	failure?.code === 'keyRefused' && failure.details.status !== undefined;

export async function checkSignIn(session: CheckSession): Promise<Finding> {
	const { credentials } = session.access;
	let withOtherKey = '';
	const present = authorizationFormOf(credentials.authorizationHeader);
	const other = present === 'token' ? 'bearer' : 'token';
	const isAccepted = async (form: typeof present) => {
		credentials.authorizationHeader = form;
		const pages = await readFirstPages(session);
		const isRead = pages.some(({ failure }) => !failure);
		if (isRead) session.firstPages = pages;
		const judged = pages.find((page) => !isKeyRefused(page));
		if (!judged) withOtherKey = labelsOf(pages);
		// Any other refusal, even a 403, may come from what stands before the service and has not read the token.
		if (isRead || judged?.failure?.code === 'tokenRefused') return isRead;
		if (judged) throw judged.failure!;
		return true;
	};
	const form = await findAccepted([present, other], isAccepted);
	if (withOtherKey) {
		const answer = `Signed in. This key is not for these lists: ${withOtherKey}.`;
		return { answer, action: adviceOtherKey };
	}
	if (form === undefined) {
		const action = 'Ask the service owner what this account may do, and how the token is written.';
		return { answer: 'The service refuses its own tokens.', action };
	}
	const { label } = authorizationForms[form];
	credentials.authorizationHeader = form;
	const action = form === present ? undefined : setTo('Authorization Header', label);
	return { answer: `Yes; ${label}.`, action };
}

export async function checkLists({ firstPages }: CheckSession): Promise<Finding> {
	const readable = labelsOf(firstPages.filter(({ failure }) => !failure));
	const others = firstPages.filter(({ failure }) => failure);
	if (readable === '') throw cannotTell('No list could be read.');
	if (others.length === 0) return { answer: `All lists tried: ${readable}.` };
	const askOwner = `If a workflow needs them, ask the service owner for access to: ${labelsOf(others)}.`;
	return {
		answer: `${readable}; not: ${labelsOf(others)} (${others[0]!.failure!.message}).`,
		action: others.every(isKeyRefused) ? adviceOtherKey : askOwner,
	};
}
