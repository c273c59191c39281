// The rehearsals on the page: faults, with a switch for each, and dialects, with a choice for each.
import {
	defaultDialects,
	dialectNames,
	dialectTable,
	publicDialects,
	type DialectName,
	type Dialects,
} from '../dialects.mts';
import { faultKinds, usualStatusOf, wordsOf } from '../faultKinds.mts';
import type { FaultRule, Faults } from '../faults.mts';
import { mixedFaults } from '../mixedFaults.mts';
import { readDialects } from '../readDialects.mts';
import { readFaultPlan } from '../readFaultPlan.mts';
import { grouped, html, type Html } from './html.mts';

/** The number of strikes of each fault: parts of the page that change with every strike. */
export const strikeParts = ({ struck }: Faults): Record<string, Html> =>
	Object.fromEntries(
		faultKinds.map((fault) => [
			`strikes-${fault}`,
			html`${struck[fault] !== undefined && `${grouped(struck[fault])} ×`}`,
		]),
	);

/** The status that a rule returns, as text; '' for a fault that sets none. */
const statusOf = ({ fault, status }: FaultRule): string =>
	String(status ?? usualStatusOf(fault) ?? '');

const percentOf = ({ probability = 1 }: FaultRule): number => Math.round(probability * 1e4) / 100;

interface Line {
	/** The beginning of the names of its fields. */
	key: string;
	rule: FaultRule;
	isOn: boolean;
}

const onLines = (plan: readonly FaultRule[]): Line[] =>
	plan.map((rule, place) => ({ key: `${rule.fault}-${place}`, rule, isOn: true }));

const offLines: Line[] = faultKinds.map((fault) => ({
	key: fault,
	rule: { fault },
	isOn: false,
}));

/** A line for each rule of the plan, and for each kind of fault that is off. */
function linesOf(plan: readonly FaultRule[]): Line[] {
	const on = onLines(plan);
	return offLines.flatMap((off) => {
		const ofKind = on.filter(({ rule }) => rule.fault === off.rule.fault);
		return ofKind.length > 0 ? ofKind : off;
	});
}

function faultLine({ key, rule, isOn }: Line, at: number, strikes: Html): Html {
	const { fault } = rule;
	const words = wordsOf(rule);
	const percent = percentOf(rule);
	const status = statusOf(rule);
	return html`<li class="fault">
		<label class="switch">
			<input
				type="checkbox"
				role="switch"
				name="${key}.on"
				id="fault-${at}"
				${isOn && html`checked`}
			/>
			<span id="fault-${at}-words">${words}</span>
		</label>
		<code>${fault}</code>
		<span class="strikes" data-live="strikes-${fault}">${strikes}</span>
		<span class="often">
			${status !== '' &&
			html`<input
				type="number"
				name="${key}.status"
				id="fault-${at}-status"
				min="200"
				max="599"
				value="${status}"
				aria-label="Status that ${fault} returns"
			/>`}
			<input
				type="range"
				name="${key}.percent"
				id="fault-${at}-percent"
				min="0"
				max="100"
				step="${Number.isInteger(percent) ? 1 : 'any'}"
				value="${percent}"
				aria-label="How often ${fault} strikes, in percent"
				aria-describedby="fault-${at}-words"
			/>
			<span class="percent">${percent} %</span>
		</span>
	</li> `;
}

export function planPart(faults: Faults): Html {
	const strikes = strikeParts(faults);
	return html`
		<form method="post" action="/sandbox/faults" data-stay data-at-once>
			<div class="heading">
				<h2 id="faults-title">Faults</h2>
				<button class="main unscripted">Apply</button>
				<button name="plan" value="none">Clear all</button>
				<button name="plan" value="mixed">Mixed faults</button>
			</div>
			<p class="hint">
				At most one fault strikes a request: the first one due, in the order they were switched on.
				For a service where nothing listens, enter a port in the credential's Base URL that nobody
				uses, such as http://127.0.0.1:9, or stop the sandbox with Ctrl-C.
			</p>
			<ul class="plan">
				${linesOf(faults.rules).map((line, at) =>
					faultLine(line, at, strikes[`strikes-${line.rule.fault}`]!),
				)}
			</ul>
		</form>
	`;
}

/** @returns the plan's own rule if the form does not change it */
function ruleIn(form: URLSearchParams, { key, rule }: Line): FaultRule {
	const percent = form.get(`${key}.percent`) ?? '100';
	const status = form.get(`${key}.status`) ?? statusOf(rule);
	if (percent === String(percentOf(rule)) && status === statusOf(rule)) return rule;
	const probability = Number(percent) / 100;
	return { ...rule, probability, ...(status !== '' && { status: Number(status) }) };
}

/**
 * Reads the plan from the form. Faults that were in the plan keep their settings and their order.
 * @param plan the plan that the form shows
 * @throws TypeError if a value is invalid; its message is meant for people
 */
export function planFrom(form: URLSearchParams, plan: readonly FaultRule[]): FaultRule[] {
	const preset = form.get('plan');
	if (preset !== null) return preset === 'mixed' ? mixedFaults : [];
	const on = [...onLines(plan), ...offLines].filter(({ key }) => form.has(`${key}.on`));
	return readFaultPlan(on.map((line) => ruleIn(form, line)));
}

function choice(name: DialectName, chosen: string): Html {
	const { question, ways } = dialectTable[name];
	const options = Object.entries(ways).map(
		([way, what]) =>
			html`<option value="${way}" ${way === chosen && html`selected`}>${what}</option>`,
	);
	return html`<label>
		<span
			>${question} <code>${name}</code>${chosen !== defaultDialects[name] &&
			html` <span class="mark warn">differs</span>`}</span
		>
		<select name="${name}" id="dialect-${name}">
			${options}
		</select>
	</label> `;
}

export function dialectsPart(dialects: Dialects): Html {
	const changed = dialectNames.filter((name) => dialects[name] !== defaultDialects[name]).length;
	return html`
		<form method="post" action="/sandbox/dialects" data-stay data-at-once>
			<div class="heading">
				<h2 id="dialects-title">Dialects</h2>
				<button class="main unscripted">Apply</button>
				<button name="all" value="own">Reset all</button>
				<button name="all" value="public">Like the public record</button>
			</div>
			<p class="hint">
				What the API spec leaves open. ${changed} of ${dialectNames.length} differ from the
				sandbox's default. The next start of the sandbox resets them.
			</p>
			${dialectNames.map((name) => choice(name, dialects[name]))}
		</form>
	`;
}

/** The dialects that a button sets all at once, by the button's value. */
const wholes: Record<string, Dialects> = { own: defaultDialects, public: publicDialects };

/**
 * Reads the dialects from the form.
 * @throws TypeError for an unknown one; its message is meant for people
 */
export const dialectsFrom = (form: URLSearchParams): Partial<Dialects> =>
	wholes[form.get('all') ?? ''] ?? readDialects(Object.fromEntries(form));
