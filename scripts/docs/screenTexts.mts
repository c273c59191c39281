// The texts on the screens: what the forms of the nodes and of the credential show, and the sandbox's page.
import type { INodeProperties, INodePropertyCollection, INodePropertyOptions } from 'n8n-workflow';

import { startSandbox } from '../../sandbox/server.mts';
import type { DocumentedPackage } from './package.mts';

type Part = INodeProperties | INodePropertyCollection | INodePropertyOptions;

const isInput = (part: Part): part is INodeProperties => 'type' in part;

/** A part of a form, and all that stand in it. */
function partsIn(part: Part): Part[] {
	const inside = 'values' in part ? part.values : isInput(part) ? (part.options ?? []) : [];
	return [part, ...inside.flatMap(partsIn)];
}

const buttonOf = (part: Part): string[] => {
	const { placeholder = '', typeOptions } = isInput(part) ? part : {};
	const button = typeOptions?.multipleValueButtonText ?? placeholder;
	return button.startsWith('Add ') ? [button] : [];
};

/** A list's entry has a name, all else a label. */
const textsOf = (part: Part): string[] => [
	'displayName' in part ? part.displayName : part.name,
	...buttonOf(part),
];

/** Those on the sandbox's page, each as one element holds it; a record is open in the form. */
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
	private readonly parts: Part[];

	/** Everything that can be read on the screen. */
	readonly all: ReadonlySet<string>;

	private constructor(documented: DocumentedPackage, ofSandbox: readonly string[]) {
		const { nodes, others, credentialTypes } = documented;
		const forms = [...nodes.map(({ description }) => description), ...others, ...credentialTypes];
		this.parts = forms.flatMap(({ properties }) => properties).flatMap(partsIn);
		this.all = new Set([
			...this.parts.flatMap(textsOf),
			...forms.map(({ displayName }) => displayName),
			...ofSandbox,
		]);
	}

	static async of(documented: DocumentedPackage): Promise<ScreenTexts> {
		return new ScreenTexts(documented, await sandboxPageTexts());
	}

	/** @throws Error when no form shows the label, or the value differs from form to form */
	private oneOf<Value>(label: string, valueOf: (input: INodeProperties) => Value): Value {
		const inputs = this.parts.filter(isInput).filter(({ displayName }) => displayName === label);
		if (inputs.length === 0) throw new Error(`No form shows '${label}'`);
		const values = new Set(inputs.map(valueOf));
		const [value] = values;
		if (values.size !== 1) throw new Error(`'${label}' differs from form to form`);
		return value!;
	}

	/**
	 * The default of an input, as it is shown.
	 * @throws Error when no form shows the label, its default differs from form to form, or it has none
	 */
	defaultOf(label: string): string {
		const shown = this.oneOf(label, ({ default: start, options = [] }) => {
			const chosen = (options as INodePropertyOptions[]).find(({ value }) => value === start);
			return chosen?.name ?? (typeof start === 'string' ? start : JSON.stringify(start));
		});
		if (shown === '') throw new Error(`'${label}' has no default`);
		return shown;
	}

	/** @throws Error as defaultOf(), and when the default is no number */
	numberOf(label: string): number {
		const value = Number(this.defaultOf(label));
		if (Number.isNaN(value)) throw new Error(`The default of '${label}' is no number`);
		return value;
	}

	/**
	 * The largest number that an input takes.
	 * @throws Error when no form shows the label, the number differs from form to form, or there is none
	 */
	maximumOf(label: string): number {
		const maximum = this.oneOf(label, ({ typeOptions }) => typeOptions?.maxValue);
		if (maximum === undefined) throw new Error(`'${label}' takes any number`);
		return maximum;
	}
}
