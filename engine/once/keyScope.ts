// The marks of keys in one service and one operation. The same service may be written in several ways (capitals, a
// default port), and keys that were remembered under the spelling of the credential stay known.
import { addressOf } from '../auth/accountSettings';
import { keyStatusOf, marksOf, worseStatus, type KeyStatus } from './keyMarks';

/** What the store knows of a key. */
export interface ReadKey {
	status: KeyStatus;
	/** The mark that stays when the item is done. */
	begun: string;
	/** The marks that are removed when it is known what became of the item. */
	open: string[];
	/** Marks that were recorded only to learn whether they were there. */
	unneeded: string[];
}

export class KeyScope {
	private readonly scope: string;

	/** The scope with the address as it is written, where that is another spelling. */
	private readonly scopeAsWritten?: string;

	/**
	 * @param baseUrl as the credential has it
	 * @param request of the operation
	 */
	constructor(baseUrl: string, request: string) {
		this.scope = `${addressOf(baseUrl)}\n${request}`;
		const scopeAsWritten = `${baseUrl}\n${request}`;
		if (scopeAsWritten !== this.scope) this.scopeAsWritten = scopeAsWritten;
	}

	/** @returns the marks to record for keys */
	marksOfAll(keys: readonly string[]): string[] {
		const scopes = [this.scope, this.scopeAsWritten].filter((scope) => scope !== undefined);
		return keys.flatMap((key) =>
			scopes.flatMap((scope) => {
				const { begun, open } = marksOf(scope, key);
				return [begun, open];
			}),
		);
	}

	/** @param added the marks that were not there before those of the key were recorded */
	read(key: string, added: ReadonlySet<string>): ReadKey {
		const marks = marksOf(this.scope, key);
		const { begun, open } = marks;
		const status = keyStatusOf(marks, added);
		if (this.scopeAsWritten === undefined) return { status, begun, open: [open], unneeded: [] };
		const old = marksOf(this.scopeAsWritten, key);
		return {
			status: worseStatus(status, keyStatusOf(old, added)),
			begun,
			open: [open, old.open],
			unneeded: [old.begun, old.open].filter((mark) => added.has(mark)),
		};
	}
}
