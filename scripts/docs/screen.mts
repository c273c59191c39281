// The words on the screen: what the forms of the nodes and of the credential show, and the sandbox's page.
import type { INodeProperties, INodePropertyCollection, INodePropertyOptions } from 'n8n-workflow';

import type { DocumentedPackage } from './package.mts';
import { pageWords } from './sandboxPage.mts';

type Part = INodeProperties | INodePropertyCollection | INodePropertyOptions;

const isInput = (part: Part): part is INodeProperties => 'type' in part;

/** A part of a form, and all that stand in it. */
function partsIn(part: Part): Part[] {
	const inside = 'values' in part ? part.values : isInput(part) ? (part.options ?? []) : [];
	return [part, ...inside.flatMap(partsIn)];
}

const partsOf = ({ nodes, trigger, credentialTypes }: DocumentedPackage): Part[] =>
	[...nodes.map(({ description }) => description), trigger, ...credentialTypes]
		.flatMap(({ properties }) => properties)
		.flatMap(partsIn);

const buttonOf = (part: Part): string[] => {
	const { placeholder = '', typeOptions } = isInput(part) ? part : {};
	const button = typeOptions?.multipleValueButtonText ?? placeholder;
	return button.startsWith('Add ') ? [button] : [];
};

/** A list's entry has a name, all else a label. */
const wordsOf = (part: Part): string[] => [
	'displayName' in part ? part.displayName : part.name,
	...buttonOf(part),
];

export class Screen {
	private readonly parts: Part[];

	/** Everything that can be read on it. */
	readonly words: ReadonlySet<string>;

	constructor(documented: DocumentedPackage) {
		this.parts = partsOf(documented);
		this.words = new Set([
			...this.parts.flatMap(wordsOf),
			...documented.nodes.map(({ description }) => description.displayName),
			documented.trigger.displayName,
			...documented.credentialTypes.map(({ displayName }) => displayName),
			...pageWords(),
		]);
	}

	private inputs(label: string): INodeProperties[] {
		const inputs = this.parts.filter(isInput).filter(({ displayName }) => displayName === label);
		if (inputs.length === 0) throw new Error(`No form shows '${label}'`);
		return inputs;
	}

	private oneOf<Value>(label: string, valueOf: (input: INodeProperties) => Value): Value {
		const values = new Set(this.inputs(label).map(valueOf));
		const [value] = values;
		if (values.size !== 1) throw new Error(`'${label}' differs from form to form`);
		return value!;
	}

	/**
	 * What an input starts with, as it is shown.
	 * @throws Error when no form shows the label, or not all start with the same
	 */
	start(label: string): string {
		return this.oneOf(label, ({ default: start, options = [] }) => {
			const chosen = (options as INodePropertyOptions[]).find(({ value }) => value === start);
			return chosen?.name ?? (typeof start === 'string' ? start : JSON.stringify(start));
		});
	}

	/**
	 * The largest number an input takes.
	 * @throws Error as start(), and when it takes any
	 */
	most(label: string): number {
		const most = this.oneOf(label, ({ typeOptions }) => typeOptions?.maxValue);
		if (most === undefined) throw new Error(`'${label}' takes any number`);
		return most;
	}
}
