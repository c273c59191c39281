// An independent client's way in: plain axios, nothing of the package.
import axios from 'axios';

import { clients, subscriptionKey, users } from '../../sandbox/accounts.mts';

export const keyHeader = { 'Ocp-Apim-Subscription-Key': subscriptionKey };

/** Body of the password token operation. */
export const tokenBody = (changes: object = {}): object => ({
	grant_type: 'password',
	client_id: clients[0]!.id,
	client_secret: clients[0]!.secret,
	username: users[0]!.username,
	password: users[0]!.password,
	...changes,
});

/** @returns the access token */
export async function signIn(baseUrl: string, { username, password } = users[0]!): Promise<string> {
	const { data } = await axios.post<{ access_token: string }>(
		`${baseUrl}/authpass/Token.php`,
		tokenBody({ username, password }),
		{ headers: keyHeader },
	);
	return data.access_token;
}
