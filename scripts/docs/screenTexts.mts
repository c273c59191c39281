// The texts on the screens: what the forms of the nodes and of the credential show, and the sandbox's page.
import type { INodeProperties, INodePropertyCollection, INodePropertyOptions } from 'n8n-workflow';

import type { DocumentedPackage } from './package.mts';
import { sandboxPageTexts } from './sandboxPageTexts.mts';

type Part = INodeProperties | INodePropertyCollection | INodePropertyOptions;

const isInput = (part: Part): part is INodeProperties => 'type' in part;

/** A part of a form, and all that stand in it. */
function partsIn(part: Part): Part[] {
	const inside = 'values' in part ? part.values : isInput(part) ? (part.options ?? []) : [];
	return [part, ...inside.flatMap(partsIn)];
}

const partsOf = ({ nodes, others, credentialTypes }: DocumentedPackage): Part[] =>
	[...nodes.map(({ description }) => description), ...others, ...credentialTypes]
		.flatMap(({ properties }) => properties)
		.flatMap(partsIn);

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

export class ScreenTexts {
	private readonly parts: Part[];

	/** Everything that can be read on the screen. */
	readonly all: ReadonlySet<string>;

	constructor(documented: DocumentedPackage) {
		this.parts = partsOf(documented);
		this.all = new Set([
			...this.parts.flatMap(textsOf),
			...documented.nodes.map(({ description }) => description.displayName),
			...documented.others.map(({ displayName }) => displayName),
			...documented.credentialTypes.map(({ displayName }) => displayName),
			...sandboxPageTexts(),
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
	 * The default of an input, as it is shown.
	 * @throws Error when no form shows the label, or its default differs from form to form
	 */
	defaultOf(label: string): string {
		return this.oneOf(label, ({ default: start, options = [] }) => {
			const chosen = (options as INodePropertyOptions[]).find(({ value }) => value === start);
			return chosen?.name ?? (typeof start === 'string' ? start : JSON.stringify(start));
		});
	}

	/**
	 * The largest number that an input takes.
	 * @throws Error as defaultOf(), and when it takes any
	 */
	maximumOf(label: string): number {
		const maximum = this.oneOf(label, ({ typeOptions }) => typeOptions?.maxValue);
		if (maximum === undefined) throw new Error(`'${label}' takes any number`);
		return maximum;
	}
}
