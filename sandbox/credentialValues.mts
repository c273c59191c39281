// The values of the credential "Agency Records API" for a sandbox.
import { clients, incidentsKey, subscriptionKey, users, type Accounts } from './accounts.mts';

export interface CredentialValue {
	/** As the credential's type names it. */
	name: string;
	/** The label in n8n's form. */
	label: string;
	value: string;
	/** Other values that may be entered, or when this one is. */
	note?: string;
	/** Whether only a grant other than the default needs it. */
	isForOtherGrant?: boolean;
}

/**
 * In the order of n8n's form; all other fields keep their defaults there.
 * @param accounts the accounts of the sandbox; by default, of one that has just started
 */
export function credentialValues(
	url: string,
	accounts: Pick<Accounts, 'subscriptionKey' | 'users'> = { subscriptionKey, users },
): CredentialValue[] {
	const [confidential, open] = clients as [(typeof clients)[0], (typeof clients)[0]];
	const [chief, probationer] = accounts.users as [(typeof users)[0], (typeof users)[0]];
	return [
		{ name: 'baseUrl', label: 'Base URL', value: url },
		{
			name: 'apiKey',
			label: 'Subscription Key',
			value: accounts.subscriptionKey,
			note: `or ${incidentsKey}, of another product: it signs in, but reads only incidents and users`,
		},
		{
			name: 'clientId',
			label: 'Client ID',
			value: confidential.id,
			note: `or ${open.id}, a public client without secret`,
		},
		{ name: 'clientSecret', label: 'Client Secret', value: confidential.secret! },
		{
			name: 'username',
			label: 'Username',
			value: chief.username,
			note: `or ${probationer.username}, who may only read`,
		},
		{
			name: 'password',
			label: 'Password',
			value: chief.password,
			note: `or ${probationer.password}`,
		},
		{ name: 'redirectUri', label: 'Redirect URI', value: confidential.redirectUri },
		{
			name: 'tokenUrl',
			label: 'Token URL',
			value: `${url}/identity/oauth2/token`,
			note: 'for the grant Password at an Identity Provider',
			isForOtherGrant: true,
		},
	];
}

/** The same values as lines of text, in two columns. */
export const credentialLines = (url: string): string =>
	credentialValues(url)
		.map(({ label, value, note }) => `  ${label.padEnd(16)}  ${value}${note ? `   (${note})` : ''}`)
		.join('\n');
