// The records in the service: how many there are of each kind, and a page of one kind.
import { areas, type LoadedArea } from '../loadAreas.mts';
import { isEditable } from '../recordEdits.mts';
import type { RecordStore, StoredRecord } from '../recordStore.mts';
import { clock, grouped, html, type Html } from './html.mts';
import { titleOfKind } from './recordKinds.mts';
import { pageAddress, type PageQuery } from './pageAddress.mts';

// However many records there are, and however long they are, the page stays small.
const rowsShown = 25;
const columnsShown = 16;
const charactersShown = 60;

function areaEntry({ title, kinds }: LoadedArea, counts: Map<string, number>, shown: string): Html {
	const entries = Object.entries(kinds).map(
		([kind, name]) =>
			html`<li>
				<a
					id="kind-${kind}"
					href="${pageAddress({ kind, offset: 0 }, 'records-title')}"
					${kind === shown && html`aria-current="page"`}
					>${name} <span class="number">${grouped(counts.get(kind) ?? 0)}</span></a
				>
			</li> `,
	);
	const names = Object.values(kinds);
	// The title would only repeat the name of an area's one kind.
	const isRepeated = names.length === 1 && names[0] === title;
	return html`<li>
		${!isRepeated && html`<span class="area">${title}</span>`}
		<ul>
			${entries}
		</ul>
	</li> `;
}

export function kindsPart(counts: Map<string, number>, { kind }: PageQuery): Html {
	return html`<ul>
		${areas
			.filter(({ kinds }) => Object.keys(kinds).length > 0)
			.map((area) => areaEntry(area, counts, kind))}
	</ul>`;
}

function cell(value: unknown): Html {
	const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
	return html`<td>
		${text.length > charactersShown ? `${text.slice(0, charactersShown)}…` : text}
	</td>`;
}

function row(view: PageQuery, columns: string[], record: StoredRecord): Html {
	const { id, data, archived, changedAt } = record;
	const edit = pageAddress({ ...view, record: id }, 'record');
	return html`<tr ${archived && html`class="archived"`}>
		<th scope="row" class="number">${id}</th>
		${isEditable(view.kind) &&
		html`<td><a id="edit-${id}" href="${edit}" aria-label="Edit ${id}">Edit</a></td>`}
		<td>${clock(changedAt)}${archived && html` <span class="mark">archived</span>`}</td>
		${columns.map((column) => cell(data[column]))}
	</tr> `;
}

/** @param total how many records there are to turn over */
export function pagesPart(total: number, view: PageQuery): Html {
	const { offset } = view;
	const last = Math.min(total, offset + rowsShown);
	const link = (title: string, id: string, to: number) =>
		html`<a id="${id}" href="${pageAddress({ ...view, offset: to }, 'records-title')}"
			>${title}</a
		> `;
	return html`
		<span>${last > offset && `${grouped(offset + 1)}–${grouped(last)} of `}${grouped(total)}</span>
		${offset > 0 && link('Newer', 'newer', Math.max(0, offset - rowsShown))}
		${last < total && link('Older', 'older', offset + rowsShown)}
	`;
}

export function recordsPart(store: RecordStore, view: PageQuery): Html {
	const { kind, offset } = view;
	const records = store.latestChanges(kind, rowsShown, offset);
	const fields = [...new Set(records.flatMap(({ data }) => Object.keys(data)))];
	const columns = fields.slice(0, columnsShown);
	const left = fields.length - columns.length;
	return html`
		<table>
			<caption>
				The latest changes first${left > 0 && `; ${left} more fields have no room here`}
			</caption>
			<thead>
				<tr>
					<th scope="col" class="number">ID</th>
					${isEditable(kind) && html`<th scope="col">Edit</th>`}
					<th scope="col">Changed</th>
					${columns.map((column) => html`<th scope="col">${column}</th>`)}
				</tr>
			</thead>
			<tbody>
				${records.map((record) => row(view, columns, record))}
			</tbody>
		</table>
	`;
}

/** The parts of the page that show records. */
interface RecordParts {
	kinds: Html;
	pages: Html;
	records: Html;
}

/** @param form the form of the record that is being edited, if one is */
export const recordsSection = (parts: RecordParts, view: PageQuery, form?: Html): Html => html`
	<section id="records" aria-labelledby="records-title">
		<nav class="kinds" aria-label="Records by area" data-live="kinds">${parts.kinds}</nav>
		<div class="of-kind">
			<h2 id="records-title">${titleOfKind(view.kind)}</h2>
			${isEditable(view.kind) &&
			html`<a
				class="button"
				href="${pageAddress({ kind: view.kind, offset: 0, record: 'new' }, 'record')}"
				>Add a record</a
			>`}
			${form}
			<nav class="pages" aria-label="Pages of records" data-live="pages">${parts.pages}</nav>
			<div class="scroll" role="group" aria-labelledby="records-title" tabindex="0">
				<div data-live="records">${parts.records}</div>
			</div>
		</div>
	</section>
`;
