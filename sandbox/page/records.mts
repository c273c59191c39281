// The records: their number per kind, a page of one kind, and one record as editable JSON.
import { areas, titleOfKind } from '../areas.mts';
import { fieldsOf, isEditable } from '../recordEdits.mts';
import type { RecordStore, StoredRecord } from '../recordStore.mts';
import { clock, grouped, html, type Html } from './html.mts';
import { addressOf, type View } from './view.mts';

// However many records there are, and however long they are, the page stays small.
const rowsShown = 25;
const charactersShown = 60;

const kindLink = (kind: string, name: string, count: number, isShown: boolean): Html =>
	html`<li>
		<a
			id="kind-${kind}"
			href="${addressOf({ kind }, 'records-title')}"
			${isShown && html`aria-current="page"`}
			>${name} <span class="number">${grouped(count)}</span></a
		>
	</li> `;

export function kindsPart(store: RecordStore, view: View): Html {
	const counts = store.counts();
	const entries = Object.entries(areas).flatMap(([area, { kinds }]) => {
		const links = Object.entries(kinds).map(([kind, name]) =>
			kindLink(kind, name, counts.get(kind) ?? 0, kind === view.kind),
		);
		// An area's only kind may have the area's name.
		const isRepeated = String(Object.values(kinds)) === area;
		return links.length === 0
			? []
			: html`<li>
					${!isRepeated && html`<span class="area">${area}</span>`}
					<ul>
						${links}
					</ul>
				</li> `;
	});
	return html`<ul>
		${entries}
	</ul>`;
}

function cell(value: unknown): Html {
	const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
	return html`<td>
		${text.length > charactersShown ? `${text.slice(0, charactersShown)}…` : text}
	</td>`;
}

function row(
	view: View,
	columns: string[],
	{ id, data, archived, rowVersion, changedAt }: StoredRecord,
): Html {
	const edit = addressOf({ ...view, record: id }, 'record');
	return html`<tr ${archived && html`class="archived"`}>
		<th scope="row" class="number">
			${archived && html`<span class="mark">archived</span> `}${id}
		</th>
		${isEditable(view.kind) &&
		html`<td><a id="edit-${id}" href="${edit}" aria-label="Edit ${id}">Edit</a></td>`}
		<td>${clock(changedAt)}</td>
		${[rowVersion, ...columns.map((column) => data[column])].map(cell)}
	</tr> `;
}

function pagesOf(total: number, view: View): Html {
	const { offset } = view;
	const last = Math.min(total, offset + rowsShown);
	const link = (title: string, to: number) =>
		html`<a id="${title}" href="${addressOf({ ...view, offset: to }, 'records-title')}"
			>${title}</a
		> `;
	return html`<nav class="pages" aria-label="Pages of records">
		<span>${last > offset && `${grouped(offset + 1)}–${grouped(last)} of `}${grouped(total)}</span>
		${offset > 0 && link('Newer', Math.max(0, offset - rowsShown))}
		${last < total && link('Older', offset + rowsShown)}
	</nav>`;
}

export function recordsPart(store: RecordStore, view: View): Html {
	const { kind, search, offset } = view;
	const { total, rows } = store.latestChanges(kind, search, rowsShown, offset);
	const columns = [...new Set(rows.flatMap(({ data }) => Object.keys(data)))];
	return html`
		${pagesOf(total, view)}
		<div class="scroll" role="group" aria-labelledby="records-title" tabindex="0">
			<table>
				<caption>
					Latest changes first
				</caption>
				<thead>
					<tr>
						<th scope="col" class="number">ID</th>
						${isEditable(kind) && html`<th scope="col">Edit</th>`}
						<th scope="col">Changed</th>
						${['rowVersion', ...columns].map((column) => html`<th scope="col">${column}</th>`)}
					</tr>
				</thead>
				<tbody>
					${rows.map((record) => row(view, columns, record))}
				</tbody>
			</table>
		</div>
	`;
}

/**
 * The form of the record being edited, if any. @param text the typed text, if it was refused
 */
function editor(store: RecordStore, view: View, text?: string): Html | undefined {
	const { kind, record } = view;
	if (record === undefined || !isEditable(kind)) return undefined;
	const data = record === 'new' ? {} : store.get(kind, record)?.data;
	if (!data) return undefined;
	const address = `/sandbox/records/${kind}${record === 'new' ? '' : `/${record}`}`;
	const fields = Object.entries(fieldsOf(kind)).map(([name, { type }]) => `${name} (${type})`);
	return html`
		<form id="record" class="record" method="post" action="${address}">
			<h3>${record === 'new' ? 'New record' : `ID ${record}`}</h3>
			<label for="json">Record as JSON</label>
			<textarea id="json" name="json" rows="12" spellcheck="false" autofocus>
${text ?? JSON.stringify(data, null, 2)}</textarea
			>
			<p class="hint">Fields: ${fields.join(', ')}</p>
			<div class="buttons">
				<button class="main">Save</button>
				${record !== 'new' &&
				html`<button formaction="${address}/remove" formnovalidate>Remove</button>`}
				<a class="button" href="${addressOf({ ...view, record: undefined }, 'records')}">Cancel</a>
			</div>
		</form>
	`;
}

/** @param text as for editor() */
export const recordsSection = (store: RecordStore, view: View, text?: string): Html => html`
	<section id="records" aria-labelledby="records-title">
		<nav class="kinds" aria-label="Records by area" data-live="kinds">
			${kindsPart(store, view)}
		</nav>
		<div>
			<div class="heading">
				<h2 id="records-title">${titleOfKind(view.kind)}</h2>
				<search>
					<form action="/#records-title">
						<input type="hidden" name="records" value="${view.kind}" />
						<input
							type="search"
							name="search"
							value="${view.search}"
							placeholder="ID or text"
							aria-label="Search these records"
						/>
						<button>Search</button>
					</form>
				</search>
				${isEditable(view.kind) &&
				html`<a class="button" href="${addressOf({ kind: view.kind, record: 'new' }, 'record')}"
					>Add a record</a
				>`}
			</div>
			${editor(store, view, text)}
			<div data-live="records">${recordsPart(store, view)}</div>
		</div>
	</section>
`;
