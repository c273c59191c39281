// Judges responses by the table of rules.ts.
import { Failure, type FailureCode } from '../failure';
import type { Outcome } from '../outcome';
import { expectedOf, isSuccess, type Answer, type Evidence } from './evidence';
import { rules, type Rule, type ToldAnswer } from './rules';
import { serviceMessagesOf } from './serviceMessages';

/** @returns what the first rule that matches and says anything says */
function first<Said>(evidence: Evidence, by: (rule: Rule) => Said | undefined): Said | undefined {
	for (const rule of rules) {
		const said = rule.matches(evidence) ? by(rule) : undefined;
		if (said !== undefined) return said;
	}
	return undefined;
}

/** @returns what became of an item, by the evidence of its last try, and the rule that says so */
export function judge(evidence: Evidence): { outcome: Outcome; rule: Rule } {
	const expected = expectedOf(evidence);
	const saidBy = ({ outcome }: Rule) => (typeof outcome === 'object' ? outcome[expected] : outcome);
	const rule = rules.find((one) => saidBy(one) && one.matches(evidence))!;
	const outcome = saidBy(rule)!;
	const isUnchanged = outcome === 'refused' || outcome === 'notSent';
	// A read never changes anything.
	if (expected === 'read')
		return { rule, outcome: isUnchanged || outcome === 'sent' ? outcome : 'refused' };
	// That the last try changed nothing says nothing of the one before it.
	return { rule, outcome: isUnchanged && evidence.inDoubt ? 'inDoubt' : outcome };
}

/** Whether sending the same request again is harmless and may succeed. */
export const isRetryable = (evidence: Evidence): boolean =>
	judge(evidence).rule.again?.includes(evidence.method) ?? false;

export const outcomeOf = (evidence: Evidence): Outcome => judge(evidence).outcome;

export const codeOf = (evidence: Evidence): FailureCode | undefined =>
	first(evidence, ({ code }) => code);

/** The failure for a response that is no success, or does not prove one. */
export function failureOf(answer: Answer): Failure {
	const { status, tries, retryAfter, gateway, path } = answer;
	const { outcome } = judge(answer);
	const told: ToldAnswer = { ...answer, outcome, said: serviceMessagesOf(answer) };
	const textOf = (column: 'says' | 'advice') =>
		first(told, ({ [column]: text }) => (typeof text === 'function' ? text(told) : text));
	const code = codeOf(told);
	// When one token after the other is refused, the credential has to be corrected.
	const retryable = code !== 'tokenRefused' && isRetryable(told);
	const isAdvised = outcome !== 'inDoubt' || isSuccess(answer);
	const { lines } = told.said;
	const quoted = gateway || lines.length === 0 ? '' : `: ${lines.join('; ')}`;
	return new Failure(`${textOf('says')}${quoted}`, outcome, {
		code,
		status,
		tries,
		path,
		retryAfter,
		retryable,
		serviceMessages: lines,
		advice: isAdvised && !retryable ? textOf('advice') : undefined,
	});
}
