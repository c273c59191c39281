// What the books hold: the shelves with their counts, and a page of one kind of records.
import { isEditable } from '../recordEdits.mts';
import type { RecordStore, StoredRecord } from '../recordStore.mts';
import { clock, grouped, html, type Html } from './html.mts';
import { nameOf, shelves, type Shelf } from './recordKinds.mts';
import { pageAddress, type PageQuery } from './pageAddress.mts';

/** Records on a page, columns of their table, and signs of a cell: 100,000 long records stay a small page. */
const rowsShown = 25;
const columnsShown = 16;
const signsShown = 60;

function shelfOf({ area, kinds }: Shelf, counts: Map<string, number>, shown: string): Html {
	const entries = Object.entries(kinds).map(
		([kind, name]) =>
			html`<li>
				<a
					id="shelf-${kind}"
					href="${pageAddress({ kind, offset: 0 }, 'records')}"
					${kind === shown && html`aria-current="page"`}
					>${name} <span class="number">${grouped(counts.get(kind) ?? 0)}</span></a
				>
			</li> `,
	);
	const [only, more] = Object.values(kinds);
	const saysAll = only === area && more === undefined;
	return html`<li>
		${!saysAll && html`<span class="area">${area}</span>`}
		<ul>
			${entries}
		</ul>
	</li> `;
}

export function shelvesPart(counts: Map<string, number>, { kind }: PageQuery): Html {
	return html`<ul>
		${shelves.map((shelf) => shelfOf(shelf, counts, kind))}
	</ul>`;
}

function cell(value: unknown): Html {
	const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
	return html`<td>${text.length > signsShown ? `${text.slice(0, signsShown)}…` : text}</td>`;
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

export function pagesPart(counts: Map<string, number>, { kind, offset }: PageQuery): Html {
	const total = counts.get(kind) ?? 0;
	const last = Math.min(total, offset + rowsShown);
	const link = (title: string, id: string, to: number) =>
		html`<a id="${id}" href="${pageAddress({ kind, offset: to }, 'records')}">${title}</a> `;
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
					${isEditable(kind) && html`<th scope="col"><span class="unseen">Edit</span></th>`}
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

/** Of the parts, those with the records. */
interface RecordParts {
	shelves: Html;
	pages: Html;
	records: Html;
}

/** @param form of a record, when one is to be edited */
export const recordsSection = (parts: RecordParts, { kind }: PageQuery, form?: Html): Html => html`
	<section id="records" aria-labelledby="records-title">
		<nav class="shelves" aria-label="Records by area" data-live="shelves">${parts.shelves}</nav>
		<div class="book">
			<h2 id="records-title">${nameOf(kind)}</h2>
			${isEditable(kind) &&
			html`<a class="button" href="${pageAddress({ kind, offset: 0, record: 'new' }, 'record')}"
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
