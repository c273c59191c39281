// The fault plan as a form: a switch for each fault the sandbox knows.
import { faultKinds } from '../faultKinds.mts';
import type { FaultKind, FaultRule, Faults } from '../faults.mts';
import { readFaultPlan } from '../readFaultPlan.mts';
import { mixedFaults } from '../mixedFaults.mts';
import { grouped, html, type Html } from './html.mts';

/** How often each fault has struck: parts of the page that change with every strike. */
export const struckParts = ({ struck }: Faults): Array<[string, Html]> =>
	faultKinds.map(({ kind }) => [
		`struck-${kind}`,
		html`${struck[kind] !== undefined && `${grouped(struck[kind])} ×`}`,
	]);

const percentOf = ({ probability = 1 }: FaultRule): number => Math.round(probability * 1e4) / 100;

interface Line {
	rule: FaultRule;
	what: string;
	/** The position in the plan; undefined when the fault is off. */
	place?: number;
}

/** A line for each rule of the kind that is in the plan, or one that is off. */
function linesOf(kind: FaultKind, what: string, rules: readonly FaultRule[]): Line[] {
	const planned = rules
		.map((rule, place) => ({ rule, what, place }))
		.filter(({ rule }) => rule.fault === kind);
	return planned.length > 0 ? planned : [{ rule: { fault: kind }, what }];
}

/** How a fault differs from others of its kind: the plan may have several. */
function ownSettings({ fault: _kind, probability: _often, ...settings }: FaultRule): string {
	return Object.entries(settings)
		.map(([name, value]) => `${name} ${value}`)
		.join(', ');
}

function switchLine({ rule, what, place }: Line, at: number, struck: Html): Html {
	const { fault } = rule;
	const settings = ownSettings(rule);
	const name = [fault, settings].join(' ').trim();
	const id = `${fault}-${at}`;
	const often = percentOf(rule);
	return html`<li class="fault">
		<input type="hidden" name="${at}.fault" value="${fault}" />
		<input type="hidden" name="${at}.place" value="${place}" />
		<label class="switch">
			<input
				type="checkbox"
				role="switch"
				name="${at}.on"
				id="${id}-on"
				aria-describedby="${id}-what"
				${place !== undefined && html`checked`}
			/>
			<b>${fault}</b> ${settings}
		</label>
		<span class="struck" data-live="struck-${fault}">${struck}</span>
		<span class="often">
			<input
				type="range"
				name="${at}.often"
				id="${id}-often"
				min="0"
				max="100"
				step="${Number.isInteger(often) ? 1 : 'any'}"
				value="${often}"
				aria-label="How often ${name} strikes, in percent"
			/>
			<span class="percent">${often} %</span>
		</span>
		<p id="${id}-what">${what}</p>
	</li> `;
}

export function planPart(faults: Faults): Html {
	const struck = new Map(struckParts(faults));
	const lines = faultKinds.flatMap(({ kind, what }) => linesOf(kind, what, faults.rules));
	return html`
		<form method="post" action="/sandbox/faults" data-stay data-at-once>
			<div class="buttons">
				<button class="main unscripted">Apply</button>
				<button name="plan" value="none">Clear all</button>
				<button name="plan" value="mixed">Mixed faults</button>
			</div>
			<p class="hint">
				One fault strikes a request: the first that is due, in the order in which they were switched
				on.
			</p>
			<ul class="plan">
				${lines.map((line, at) => switchLine(line, at, struck.get(`struck-${line.rule.fault}`)!))}
			</ul>
		</form>
	`;
}

/**
 * Reads the plan from the form. Faults that were in the plan keep their settings and their order.
 * @param old the plan that the form shows
 * @throws TypeError when a value does not fit; its message is meant for people
 */
export function planFrom(form: URLSearchParams, old: readonly FaultRule[]): FaultRule[] {
	const preset = form.get('plan');
	if (preset !== null) return preset === 'mixed' ? mixedFaults : [];
	const lines = new Map<string, Record<string, string>>();
	for (const [key, value] of form) {
		const [at = '', name = ''] = key.split('.');
		if (value !== '') lines.set(at, { ...lines.get(at), [name]: value });
	}
	const chosen = [...lines.values()]
		.filter(({ on }) => on !== undefined)
		.sort((one, other) => Number(one.place ?? Infinity) - Number(other.place ?? Infinity) || 0);
	return readFaultPlan(
		chosen.map(({ fault, place, often }) => {
			const before = old[Number(place)];
			const { probability: _, ...rule } = before?.fault === fault ? before! : { fault };
			return often === '100'
				? rule
				: { ...rule, probability: Math.round(Number(often) * 1e4) / 1e6 };
		}),
	);
}

export const faultsSection = (part: Html): Html => html`
	<section id="faults" aria-labelledby="faults-title">
		<h2 id="faults-title">Faults</h2>
		<div data-live="plan">${part}</div>
	</section>
`;
