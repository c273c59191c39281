// Reads fault plans that come from outside: from flags, and as JSON sent to /sandbox/faults.
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';

import { extremeErrors } from './extremeJson.mts';
import { operationsOf, readOpenApi } from './openapi.mts';
import { faultKinds, type FaultRule } from './faultKinds.mts';
import { encodings } from './encodings.mts';

const operationIds = () => operationsOf(readOpenApi()).map(({ operationId }) => operationId);

/** One fault, as JSON Schema. */
const faultRuleSchema = () => ({
	type: 'object',
	required: ['fault'],
	additionalProperties: false,
	properties: {
		fault: { enum: faultKinds.map(({ kind }) => kind) },
		operation: { enum: operationIds() },
		probability: { type: 'number', minimum: 0, maximum: 1 },
		times: { type: 'integer', minimum: 1 },
		status: { type: 'integer', minimum: 200, maximum: 599 },
		retryAfter: { type: ['number', 'string'] },
		errors: { enum: Object.keys(extremeErrors) },
		milliseconds: { type: 'number', minimum: 0 },
		spread: { type: 'number', minimum: 0 },
		size: { type: 'integer', minimum: 1 },
		encoding: { enum: Object.keys(encodings) },
	},
});

let compiled: ValidateFunction<FaultRule[]> | undefined;

/** Compiled for the first plan, since most sandboxes never get one. */
function planCheck(): ValidateFunction<FaultRule[]> {
	// Flags carry nothing but text.
	const options = { coerceTypes: true, allowUnionTypes: true };
	return (compiled ??= new Ajv2020(options).compile({ type: 'array', items: faultRuleSchema() }));
}

/** @throws TypeError when the plan does not fit; its message is meant for people */
export function readFaultPlan(plan: unknown): FaultRule[] {
	const isPlan = planCheck();
	if (isPlan(plan)) return plan;
	const [{ message, params, instancePath }] = isPlan.errors as [
		NonNullable<typeof isPlan.errors>[0],
	];
	const allowed = (params.allowedValues as string[] | undefined)?.join(', ');
	const name = (params.additionalProperty as string | undefined) ?? instancePath.split('/').at(-1)!;
	throw new TypeError(
		`The fault plan does not fit: ${[name, message, allowed].filter(Boolean).join(' ')}`,
	);
}

/**
 * A fault as a flag gives it: `<kind>[=<probability>][,<name>=<value>…]`
 * @throws TypeError when the flag does not fit; its message is meant for people
 */
export function readFaultFlag(flag: string): FaultRule {
	const [first, ...rest] = flag.split(',').map((part) => part.split('='));
	const [fault, probability] = first!;
	const values = rest.map(([name, value = '']) => [name, value] as const);
	return readFaultPlan([
		{ fault, ...(probability !== undefined && { probability }), ...Object.fromEntries(values) },
	])[0]!;
}
