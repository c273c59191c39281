// The form that adds, changes or removes one record.
import { fieldsOf, isEditable, type EditableKind } from '../books.mts';
import type { Data, Store } from '../store.mts';
import { html, type Html } from './html.mts';
import { nameOf } from './shelves.mts';
import { addressOf, type View } from './view.mts';

const inputTypes: Record<string, string> = { integer: 'number', email: 'email' };

function inputs(kind: EditableKind, data: Data): Html[] {
	return Object.entries(fieldsOf(kind)).map(
		([name, { type, format }], at) =>
			html`<label
				>${name}
				<input
					name="${name}"
					type="${inputTypes[format ?? type] ?? 'text'}"
					value="${data[name] as string | number | undefined}"
					${at === 0 && html`autofocus`}
				/>
			</label> `,
	);
}

/** @returns undefined when no record is to be edited, or the one that is does not exist */
export function recordForm(store: Store, view: View): Html | undefined {
	const { kind, record } = view;
	if (record === undefined || !isEditable(kind)) return undefined;
	const data = record === 'new' ? {} : store.get(kind, record)?.data;
	if (!data) return undefined;
	const address = `/sandbox/books/${kind}${record === 'new' ? '' : `/${record}`}`;
	return html`
		<form id="record" class="record" method="post" action="${address}">
			<h3>${nameOf(kind)}: ${record === 'new' ? 'a new one' : record}</h3>
			<div class="fields">${inputs(kind, data)}</div>
			<div class="buttons">
				<button class="main">Save</button>
				${record !== 'new' &&
				html`<button class="danger" formaction="${address}/remove" formnovalidate>Remove</button>`}
				<a class="button" href="${addressOf({ ...view, record: undefined }, 'records')}">Cancel</a>
			</div>
		</form>
	`;
}
