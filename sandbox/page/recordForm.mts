// The form that adds, changes or removes one record.
import { editableFields, isEditable, type EditableKind } from '../recordEdits.mts';
import type { RecordData, RecordStore } from '../recordStore.mts';
import { html, type Html } from './html.mts';
import { titleOfKind } from './recordKinds.mts';
import { pageAddress, type PageQuery } from './pageAddress.mts';

const inputTypes: Record<string, string> = { integer: 'number', email: 'email' };

function inputs(kind: EditableKind, data: RecordData): Html[] {
	return Object.entries(editableFields(kind)).map(
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

/**
 * @param form the form, if it was refused
 * @returns undefined when no record is to be edited, or the one that is does not exist
 */
export function recordForm(
	store: RecordStore,
	view: PageQuery,
	form?: URLSearchParams,
): Html | undefined {
	const { kind, record } = view;
	if (record === undefined || !isEditable(kind)) return undefined;
	const data = record === 'new' ? {} : store.get(kind, record)?.data;
	if (!data) return undefined;
	const address = `/sandbox/records/${kind}${record === 'new' ? '' : `/${record}`}`;
	return html`
		<form id="record" class="record" method="post" action="${address}">
			<h3>${titleOfKind(kind)}: ${record === 'new' ? 'a new one' : record}</h3>
			<div class="fields">${inputs(kind, { ...data, ...(form && Object.fromEntries(form)) })}</div>
			<div class="buttons">
				<button class="main">Save</button>
				${record !== 'new' &&
				html`<button class="danger" formaction="${address}/remove" formnovalidate>Remove</button>`}
				<a class="button" href="${pageAddress({ ...view, record: undefined }, 'records')}"
					>Cancel</a
				>
			</div>
		</form>
	`;
}
