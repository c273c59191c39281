// The latest requests, and one of them in full: what was sent, the response, and the fault that struck.
import { wordsOf } from '../faultKinds.mts';
import type { LoggedRequest, RequestLog } from '../requestLog.mts';
import { clock, grouped, html, type Html } from './html.mts';
import { addressOf, type View } from './view.mts';

function statusOf({ end }: LoggedRequest): Html {
	if (!end) return html`<span class="mark">in progress</span>`;
	if (end.status === undefined) return html`<span class="mark bad">no response</span>`;
	const kind = end.status < 400 ? 'good' : end.status < 500 ? 'warn' : 'bad';
	return html`<span class="mark ${kind}">${end.status}</span>`;
}

function row(entry: LoggedRequest, view: View): Html {
	const { number, arrived, method, url, end } = entry;
	return html`<tr ${number === view.request && html`class="open"`}>
		<td>${clock(arrived)}</td>
		<td class="wide">
			<a id="request-${number}" href="${addressOf({ ...view, request: number }, 'requests')}"
				><b class="method">${method}</b> ${url}</a
			>
		</td>
		<td>${statusOf(entry)}</td>
		<td class="number">${end && `${grouped(end.milliseconds)} ms`}</td>
		<td>${end?.fault}</td>
	</tr> `;
}

export const requestsPart = ({ entries, total }: RequestLog, view: View): Html => html`
	<table>
		<caption>
			${grouped(total)} in
			all${total > entries.length && `; the latest ${entries.length} are shown`}
		</caption>
		<thead>
			<tr>
				<th scope="col">Time</th>
				<th scope="col">Request</th>
				<th scope="col">Status</th>
				<th scope="col" class="number">Duration</th>
				<th scope="col">Fault</th>
			</tr>
		</thead>
		<tbody>
			${entries.map((entry) => row(entry, view))}
		</tbody>
	</table>
`;

const message = (title: string, lines: string[], body: string): Html => html`
	<h4>${title}</h4>
	<pre tabindex="0">${[...lines, ...(body === '' ? [] : ['', body])].join('\n')}</pre>
`;

/** @returns nothing when no request is open, or the log no longer keeps it */
export function openRequestPart(log: RequestLog, view: View): Html {
	const entry = log.find(view.request ?? 0);
	if (!entry) return html``;
	const close = html`<a class="button" href="${addressOf({ ...view, request: 0 }, 'requests')}"
		>Close</a
	>`;
	const { method, url, headers, end } = entry;
	return html`
		<article class="record">
			${close}
			<h3>Request ${entry.number}</h3>
			${end?.fault &&
			html`<p>A fault struck: ${wordsOf({ fault: end.fault })} <code>${end.fault}</code></p>`}
			${message('Request', [`${method} ${url}`, ...headers], end?.sent ?? '')}
			${end
				? message('Response', [String(end.status ?? 'no response'), ...end.headers], end.response)
				: html`<p>In progress</p>`}
		</article>
	`;
}
