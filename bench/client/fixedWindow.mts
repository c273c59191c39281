// This package without its window, to measure what the window is worth: each account has at most ten requests in
// progress, however long responses take.
import { registerHooks } from 'node:module';

const maxWindow = /(?<=maxWindow = )\d+/;

/** Call this before the package is loaded. */
export function fixWindow(): void {
	registerHooks({
		load(url, context, next) {
			const loaded = next(url, context);
			if (!url.endsWith('/dist/engine/send/congestionWindow.js')) return loaded;
			const source = Buffer.from(loaded.source as string).toString();
			if (!maxWindow.test(source)) throw new Error('The window has no maximum to replace');
			return { ...loaded, source: source.replace(maxWindow, '10') };
		},
	});
}
