// One request in full: what came, what was answered, and why it was refused.
import type { LoggedRequest, RequestLog } from '../requestLog.mts';
import { html, type Html } from './html.mts';
import { pageAddress, type PageQuery } from './pageAddress.mts';

/** What an answer says of its own failure. */
interface ErrorAnswer {
	errors?: unknown;
	error_description?: unknown;
	message?: unknown;
}

function wordsOf(body: string): string | undefined {
	try {
		const { errors, error_description, message } = JSON.parse(body) as ErrorAnswer;
		const words = errors ?? error_description ?? message;
		return typeof words === 'string' ? words : JSON.stringify(words);
	} catch {
		return undefined;
	}
}

function reasonOf({ end }: LoggedRequest): string | undefined {
	if (!end) return undefined;
	if (end.fault) return `The fault ${end.fault} struck it, on purpose.`;
	return (end.status ?? 0) >= 400 ? wordsOf(end.body) : undefined;
}

const message = (title: string, lines: string[], body: string): Html => html`
	<h4>${title}</h4>
	<pre tabindex="0">${[...lines, ...(body === '' ? [] : ['', body])].join('\n')}</pre>
`;

/** @returns nothing when no request is open */
export function openRequestPart(log: RequestLog, view: PageQuery): Html {
	if (view.request === undefined) return html``;
	const entry = log.find(view.request);
	const close = html`<a
		class="button"
		href="${pageAddress({ ...view, request: undefined }, 'requests')}"
		>Close</a
	>`;
	if (!entry) {
		return html`<article class="record">${close} Only the latest requests are kept.</article>`;
	}
	const { method, url, headers, end } = entry;
	const reason = reasonOf(entry);
	return html`
		<article class="record">
			${close}
			<h3>Request ${entry.number}</h3>
			${reason && html`<p><b>Why:</b> ${reason}</p>`}
			${end &&
			end.otherFields.length > 0 &&
			html`<p>
				<b>Taken, though the service's description does not have it:</b> ${end.otherFields.join(
					', ',
				)}
			</p>`}
			${message('What came', [`${method} ${url}`, ...headers], entry.body())}
			${end
				? message(
						'What was answered',
						[String(end.status ?? 'no answer'), ...end.headers],
						end.body,
					)
				: html`<p>It is under way.</p>`}
		</article>
	`;
}
