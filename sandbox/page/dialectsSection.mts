// The dialects as a form: each question with the ways in which a service may have decided it.
import {
	defaultDialects,
	dialectNames,
	dialectTable,
	readDialects,
	type DialectName,
	type Dialects,
} from '../dialects.mts';
import { html, type Html } from './html.mts';

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
			<div class="buttons">
				<button class="main unscripted">Apply</button>
				<button name="all" value="own">Reset all</button>
			</div>
			<p class="hint">
				What the description leaves open. ${changed} of ${dialectNames.length} differ from the
				sandbox's own.
			</p>
			${dialectNames.map((name) => choice(name, dialects[name]))}
		</form>
	`;
}

/**
 * Reads the dialects from the form.
 * @throws TypeError when one is not known; its message is meant for people
 */
export const dialectsFrom = (form: URLSearchParams): Partial<Dialects> =>
	form.has('all') ? defaultDialects : readDialects(Object.fromEntries(form));

export const dialectsSection = (part: Html): Html => html`
	<section id="dialects" aria-labelledby="dialects-title">
		<h2 id="dialects-title">Dialects</h2>
		<div data-live="dialects">${part}</div>
	</section>
`;
