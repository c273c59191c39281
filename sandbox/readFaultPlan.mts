// Reads fault plans that come from outside: from flags, and as JSON sent to /sandbox/faults.
import { faultKinds, type FaultRule } from './faultKinds.mts';
import { operationsOf, readOpenApi } from './openapi.mts';
import { requireValid } from './validation.mts';

const faultRuleSchema = {
	type: 'object',
	required: ['fault'],
	additionalProperties: false,
	properties: {
		fault: { enum: faultKinds },
		operation: { enum: operationsOf(readOpenApi()).map(({ operationId }) => operationId) },
		probability: { type: 'number', minimum: 0, maximum: 1 },
		times: { type: 'integer', minimum: 1 },
		status: { type: 'integer', minimum: 200, maximum: 599 },
		retryAfter: { type: ['number', 'string'] },
		milliseconds: { type: 'number', minimum: 0 },
		spread: { type: 'number', minimum: 0 },
	},
};

/**
 * @param plan its numbers may be text, as in flags
 * @throws TypeError if the plan is invalid; its message is meant for people
 */
export function readFaultPlan(plan: unknown): FaultRule[] {
	if (!Array.isArray(plan)) throw new TypeError('A fault plan is a list of faults');
	for (const rule of plan) requireValid(faultRuleSchema, rule);
	return plan as FaultRule[];
}

/**
 * A fault as a flag gives it: `<kind>[=<probability>][,<name>=<value>…]`
 * @throws TypeError if the flag is invalid; its message is meant for people
 */
export function readFaultFlag(flag: string): FaultRule {
	const [first = '', ...settings] = flag.split(',');
	const [fault, probability] = first.split('=');
	const rule = { fault, ...(probability !== undefined && { probability }) };
	const others = Object.fromEntries(new URLSearchParams(settings.join('&')));
	return readFaultPlan([{ ...rule, ...others }])[0]!;
}
