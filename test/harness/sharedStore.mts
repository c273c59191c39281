// Stands for the database that n8n's workers share: a read gives what was stored last, whoever stored it.
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

import { CredentialStore } from '../../n8n-in-process/credentials.mts';

class Rows extends Map<string, ICredentialDataDecryptedObject> {
	private readonly folder: string;

	constructor(folder: string) {
		super();
		this.folder = folder;
	}

	private file(id: string): string {
		return join(this.folder, `${id}.json`);
	}

	override get(id: string): ICredentialDataDecryptedObject | undefined {
		const file = this.file(id);
		if (!existsSync(file)) return undefined;
		return JSON.parse(readFileSync(file, 'utf8')) as ICredentialDataDecryptedObject;
	}

	/** In one step: nobody reads half a row. */
	override set(id: string, row: ICredentialDataDecryptedObject): this {
		const draft = `${this.file(id)}.${process.pid}`;
		writeFileSync(draft, JSON.stringify(row));
		renameSync(draft, this.file(id));
		return this;
	}
}

export class SharedStore extends CredentialStore {
	override readonly rows: Map<string, ICredentialDataDecryptedObject>;

	/** @param folder where it keeps a file for each row */
	constructor(folder: string) {
		super();
		this.rows = new Rows(folder);
	}
}
