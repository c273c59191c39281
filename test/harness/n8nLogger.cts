// n8n's logger, as the nodes get it from n8n.
import { createRequire } from 'node:module';

import { Container } from '../../n8n-in-process/n8n.mts';

/** Loads a module as Node does, outside jest's module system. */
declare const native: (module: string) => unknown;

type LogMethod = (text: string, about?: object) => void;

/** The levels of n8n's log, from the loudest. */
export const logLevels = ['error', 'warn', 'info', 'debug'] as const;
export type LogLevel = (typeof logLevels)[number];

/** @returns the one logger of this process; its methods may be replaced */
export function n8nLogger(): Record<LogLevel, LogMethod> {
	const nearCore = createRequire(require.resolve('n8n-core/package.json'));
	const { Logger } = native(nearCore.resolve('@n8n/backend-common')) as {
		Logger: new () => Record<LogLevel, LogMethod>;
	};
	return Container.get(Logger);
}
