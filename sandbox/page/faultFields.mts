// What can be said of a fault beside how often it strikes, and how the page asks for it.
import type { FaultKind, FaultRule } from '../faults.mts';
import { faultRuleSchema } from '../readFaultPlan.mts';
import { html, type Html } from './html.mts';

type FieldName = Exclude<keyof FaultRule, 'fault' | 'probability'>;
type Labels = Partial<Record<FieldName, string>>;

/** Of every fault. */
const common: Labels = {
	operation: 'Operation',
	times: 'Ends after (strikes)',
	spread: 'Spread over (ms)',
};

const answer: Labels = {
	status: 'Status',
	retryAfter: 'Retry-After (seconds or date)',
	errors: 'Form of the errors',
	size: 'Size (bytes or levels)',
};

/** Of some. */
const own: Partial<Record<FaultKind, Labels>> = {
	refuse: answer,
	failAfter: answer,
	oauthError: { status: 'Status' },
	delayBefore: { milliseconds: 'Wait (ms)' },
	trickle: { milliseconds: 'Between two bytes (ms)' },
	hugeAnswer: { size: 'Size (MB)' },
	deepAnswer: { size: 'Levels' },
	echo: { encoding: 'Encoding' },
};

interface Schema {
	type?: string | string[];
	enum?: string[];
	minimum?: number;
	maximum?: number;
}

let schemas: Record<FieldName, Schema> | undefined;

/** Read once: it lists the operations of the whole document. */
const schemaOf = (field: FieldName): Schema => (schemas ??= faultRuleSchema().properties)[field];

function choice(name: string, id: string, options: string[], value: FaultRule[FieldName]): Html {
	const entries = options.map(
		(option) => html`<option ${option === value && html`selected`}>${option}</option>`,
	);
	return html`<select name="${name}" id="${id}">
		<option value="">–</option>
		${entries}
	</select>`;
}

function input(name: string, id: string, schema: Schema, value: FaultRule[FieldName]): Html {
	const isNumber = schema.type === 'integer' || schema.type === 'number';
	const bounds = html`type="number" step="${schema.type === 'integer' ? 1 : 'any'}"
	min="${schema.minimum}" max="${schema.maximum}"`;
	return html`<input
		name="${name}"
		id="${id}"
		value="${value}"
		${isNumber ? bounds : html`type="text"`}
	/>`;
}

/**
 * @param rule as it is in the plan, or the kind alone
 * @param prefix of the names in the form
 * @param id begins the IDs of the inputs
 */
export function faultFields(rule: FaultRule, prefix: string, id: string): Html[] {
	const labels = Object.entries({ ...own[rule.fault], ...common }) as Array<[FieldName, string]>;
	return labels.map(([field, label]) => {
		const name = `${prefix}.${field}`;
		const schema = schemaOf(field);
		const value = rule[field];
		return html`<label
			>${label}
			${schema.enum
				? choice(name, `${id}-${field}`, schema.enum, value)
				: input(name, `${id}-${field}`, schema, value)}
		</label> `;
	});
}
