// The texts on the screens: on the forms of the nodes and of the credential, and on the sandbox's page.
import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import { startSandbox } from '../../sandbox/server.mts';
import type { DocumentedPackage } from './package.mts';

/** The texts on the sandbox's page, with a record open in its form. */
async function sandboxPageTexts(): Promise<string[]> {
	const sandbox = await startSandbox();
	try {
		const page = await (await fetch(`${sandbox.url}/?records=vendor&record=106`)).text();
		return [...page.matchAll(/>([^<>]+)</g)].map(([, text = '']) => text.trim());
	} finally {
		await sandbox.close();
	}
}

export class ScreenTexts {
	readonly all: Set<string>;
	private readonly inputs: INodeProperties[] = [];

	private constructor(documented: DocumentedPackage, sandboxTexts: readonly string[]) {
		this.all = new Set(sandboxTexts);
		const { nodes, others, credentialTypes } = documented;
		const descriptions = nodes.map(({ description }) => description);
		JSON.stringify([descriptions, others, credentialTypes], (_key, value: unknown) => {
			if (typeof value === 'string') this.all.add(value);
			const isInput = typeof value === 'object' && value && 'displayName' in value;
			if (isInput && 'type' in value) this.inputs.push(value as unknown as INodeProperties);
			return value;
		});
	}

	static async of(documented: DocumentedPackage): Promise<ScreenTexts> {
		return new ScreenTexts(documented, await sandboxPageTexts());
	}

	/** @throws Error when no form shows the label, or the value differs from form to form */
	private oneOf<Value>(label: string, valueOf: (input: INodeProperties) => Value): Value {
		const inputs = this.inputs.filter(({ displayName }) => displayName === label);
		const values = new Set(inputs.map(valueOf));
		const [value] = values;
		if (values.size !== 1) throw new Error(`The forms have ${values.size} values for '${label}'`);
		return value!;
	}

	/** The default of an input, as it is shown. @throws Error when there is none, or more than one */
	defaultOf(label: string): string {
		const shown = this.oneOf(label, ({ default: start, options = [] }) => {
			const chosen = (options as INodePropertyOptions[]).find(({ value }) => value === start);
			return chosen?.name ?? (typeof start === 'string' ? start : JSON.stringify(start));
		});
		if (shown === '') throw new Error(`'${label}' has no default`);
		return shown;
	}

	/** @throws Error when there is no default, more than one, or it is not a number */
	numberOf(label: string): number {
		const value = Number(this.defaultOf(label));
		if (Number.isNaN(value)) throw new Error(`The default of '${label}' is not a number`);
		return value;
	}

	/** The largest number that an input accepts. @throws Error when there is none, or more than one */
	maximumOf(label: string): number {
		const maximum = this.oneOf(label, ({ typeOptions }) => typeOptions?.maxValue);
		if (maximum === undefined) throw new Error(`'${label}' takes any number`);
		return maximum;
	}
}
