// Looks for secrets where there must be none: output, errors, hints, everything n8n saves, and its logs.
import { formatWithOptions } from 'node:util';

import { clients, subscriptionKey, users } from '../../sandbox/accounts.mts';
import type { CredentialStore } from '../../n8n-in-process/credentials.mts';
import { logLevels, n8nLogger } from '../harness/n8nLogger.cts';

/** The texts that must not appear anywhere: keys, passwords, client secrets and the tokens in use. */
export function secretsOf(...stores: CredentialStore[]): string[] {
	const tokens = stores
		.map((store) => store.read('account').accessToken)
		.filter((packed): packed is string => typeof packed === 'string' && packed !== '')
		.map((packed) => (JSON.parse(packed) as { accessToken: string }).accessToken);
	const { secret } = clients[0]!;
	return [subscriptionKey, secret!, users[0]!.password, ...tokens];
}

/** Everything an object shows when it is printed, errors and cycles included. */
const wholly = { depth: null, maxArrayLength: null, maxStringLength: null, getters: true };

/** Collects n8n's log lines of all levels. */
export function collectLogs(): string[] {
	const lines: string[] = [];
	const log = (...said: unknown[]) => void lines.push(formatWithOptions(wholly, ...said));
	Object.assign(n8nLogger(), Object.fromEntries(logLevels.map((level) => [level, log])));
	return lines;
}

/** The secrets that a text contains. */
export const leaks = (text: string, secrets: readonly string[]): string[] =>
	secrets.filter((secret) => text.includes(secret));
