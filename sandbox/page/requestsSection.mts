// The latest requests.
import type { LoggedRequest, RequestLog } from '../requestLog.mts';
import { clock, grouped, html, type Html } from './html.mts';
import { pageAddress, type PageQuery } from './pageAddress.mts';

function statusOf({ end }: LoggedRequest): Html {
	if (!end) return html`<span class="mark">under way</span>`;
	if (end.status === undefined) return html`<span class="mark bad">no answer</span>`;
	const kind = end.status < 400 ? 'good' : end.status < 500 ? 'warn' : 'bad';
	return html`<span class="mark ${kind}">${end.status}</span>`;
}

const row = (entry: LoggedRequest, view: PageQuery): Html => {
	const { number, arrived, method, url, end } = entry;
	return html`<tr>
		<td>${clock(arrived)}</td>
		<td class="wide">
			<a id="request-${number}" href="${pageAddress({ ...view, request: number }, 'requests')}"
				><b class="method">${method}</b> ${url}</a
			>
		</td>
		<td>${statusOf(entry)}</td>
		<td class="number">${end && `${grouped(end.milliseconds)} ms`}</td>
		<td class="number">${end?.tries}</td>
		<td>${end?.fault}</td>
	</tr> `;
};

export const requestsPart = ({ entries, total }: RequestLog, view: PageQuery): Html => html`
	<table>
		<caption>
			${grouped(total)} so
			far${total > entries.length && `, the latest ${entries.length} of them here`}
		</caption>
		<thead>
			<tr>
				<th scope="col">Time</th>
				<th scope="col">Request</th>
				<th scope="col">Status</th>
				<th scope="col" class="number">Took</th>
				<th scope="col" class="number">Tries</th>
				<th scope="col">Fault</th>
			</tr>
		</thead>
		<tbody>
			${entries.map((entry) => row(entry, view))}
		</tbody>
	</table>
`;

/** @param opened the request that is open, if one is */
export const requestsSection = (part: Html, opened: Html): Html => html`
	<section id="requests" aria-labelledby="requests-title">
		<h2 id="requests-title">Requests</h2>
		<div data-live="request">${opened}</div>
		<div class="scroll" role="group" aria-labelledby="requests-title" tabindex="0">
			<div data-live="requests">${part}</div>
		</div>
	</section>
`;
