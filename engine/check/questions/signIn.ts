// How the account signs in, and how the token that it gets is used.
import type { AccountSettings } from '../../auth/accountSettings';
import { authorizationForms } from '../../auth/credentialTest';
import { SignInError } from '../../auth/signInError';
import { countOf } from '../../http/inWords';
import { CannotTell, nothingToSet, type Finding, type Question } from '../findings';
import { firstReading, mainList } from '../overview';
import type { CheckSession } from '../session';

export const headerQuestion: Question<CheckSession> = {
	question: 'How is the token written in the Authorization header?',
	async findOut(session) {
		const reading = await firstReading(session);
		if (!reading) {
			throw new CannotTell('No request was accepted, in whichever way the token was written.');
		}
		const { authorizationForm, configuredAuthorizationForm } = session;
		const value = authorizationForms[authorizationForm].label;
		const isToBeChanged = authorizationForm !== configuredAuthorizationForm;
		return {
			answer: isToBeChanged ? `Only as '${value}'.` : `'${value}' is accepted.`,
			means: isToBeChanged
				? `Set 'Authorization Header' to '${value}' in the credential.`
				: nothingToSet,
			setting: 'Authorization Header',
			value,
			isToBeChanged,
			evidence: [reading.evidence],
			certainty: 'yes',
		};
	},
};

const inWords = (seconds: number): string =>
	seconds < 120 ? `${Math.round(seconds)} seconds` : `${Math.round(seconds / 60)} minutes`;

/** A token that lives shorter makes each run sign in, and long ones several times. */
const shortLifetime = 120;

export const tokenLifetimeQuestion: Question<CheckSession> = {
	question: 'How long does a token live?',
	async findOut(session) {
		await mainList(session);
		const lifetime = await session.tokenLifetime();
		if (lifetime === undefined) {
			throw new CannotTell(
				'The service does not say.',
				[],
				`The nodes sign in anew when a token is refused. ${nothingToSet}`,
			);
		}
		return {
			answer: `${inWords(lifetime)}.`,
			means:
				lifetime < shortLifetime
					? 'Each run signs in, and longer ones several times. Ask for longer ones if that counts.'
					: nothingToSet,
			evidence: [`expires_in: ${Math.round(lifetime)}`],
			certainty: 'yes',
		};
	},
};

/** Signs in once, apart from the nodes: the token is used for nothing. */
const signsIn = (
	session: CheckSession,
	settings: AccountSettings,
): Promise<SignInError | undefined> =>
	session
		.signIn(settings)
		.then(() => undefined)
		.catch((error: unknown) =>
			error instanceof SignInError ? error : Promise.reject(error as Error),
		);

export const secondSignInQuestion: Question<CheckSession> = {
	question: 'Does a second sign-in end the token of the first?',
	async findOut(session) {
		if (!session.options.signInAgain) {
			throw new CannotTell(
				'This was not asked, since it may interrupt what runs at this moment.',
				[],
				"Turn 'Sign In Again' on to have it asked.",
			);
		}
		const { operation } = await mainList(session);
		const error = await signsIn(session, session.settings);
		if (error) throw new CannotTell(error.message);
		const reading = await session.read(operation, { limit: 1 });
		const hasEnded = reading.tries > 1;
		return {
			answer: hasEnded ? 'Yes: the service keeps one token an account.' : 'No.',
			means: hasEnded
				? 'Give each n8n, and each other program, an account of its own with the service. Workers of one n8n share their token.'
				: nothingToSet,
			evidence: [
				`a second sign-in, then ${reading.evidence}, sent ${countOf(reading.tries, 'time')}`,
			],
			certainty: 'yes',
		};
	},
};

const otherGrants = {
	password: { grantType: 'authorizationCode', label: 'Authorization Code' },
	authorizationCode: { grantType: 'password', label: 'Password' },
} as const;

export const otherGrantQuestion: Question<CheckSession> = {
	question: 'Is the other way of signing in allowed, too?',
	async findOut(session): Promise<Finding | undefined> {
		const { grantType, label } =
			otherGrants[session.settings.grantType as keyof typeof otherGrants];
		const redirectUri = session.redirectUri;
		if (!session.options.signInAgain) return undefined;
		if (grantType === 'authorizationCode' && redirectUri === '') {
			throw new CannotTell(
				"The credential has no 'Redirect URI', which an authorization code needs.",
			);
		}
		await mainList(session);
		const settings = {
			...session.settings,
			grantType,
			redirectUri: grantType === 'password' ? '' : redirectUri,
		};
		const error = await signsIn(session, settings);
		return {
			answer: error ? `No. ${error.message}` : `Yes, '${label}' works as well.`,
			means: nothingToSet,
			evidence: [`a sign-in by '${label}'`],
			certainty: error && error.fault !== 'refused' ? 'likely' : 'yes',
		};
	},
};
