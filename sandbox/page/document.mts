// The page as a whole.
import { changeableSecrets } from '../accounts.mts';
import { credentialValues, type CredentialValue } from '../credentialValues.mts';
import { html, type Html } from './html.mts';
import type { SandboxState } from './live.mts';
import { recordsSection } from './records.mts';
import { dialectsPart, planPart } from './rehearsal.mts';
import { openRequestPart, requestsPart } from './requests.mts';
import type { View } from './view.mts';

const credentialRow = ({ name, label, value, note }: CredentialValue): Html =>
	html`<tr>
		<th scope="row">${label}</th>
		<td>
			<code>${value}</code>
			<button type="button" class="scripted" data-copy="${value}" aria-label="Copy ${label}">
				Copy
			</button>
			${changeableSecrets.some((secret) => secret === name) &&
			html`<button formaction="/sandbox/credential/${name}" aria-label="Change ${label}">
				Change
			</button>`}
			${note && html`<span class="hint">${note}</span>`}
		</td>
	</tr> `;

/** The person's last action. */
interface LastAction {
	/** The message about it. */
	message?: string;
	/** The record that was typed, if it was refused. */
	json?: string;
}

/**
 * @param url of the sandbox
 * @returns the whole document
 */
export const documentOf = (
	{ records, accounts, dialects, faults, requestLog }: SandboxState,
	view: View,
	url: string,
	{ message = '', json }: LastAction = {},
): string =>
	html`<!doctype html>
		<html lang="en">
			<head>
				<meta charset="utf-8" />
				<meta name="viewport" content="width=device-width, initial-scale=1" />
				<meta name="color-scheme" content="light dark" />
				<title>Agency Records sandbox</title>
				<link rel="icon" href="/sandbox/page.svg" />
				<link rel="stylesheet" href="/sandbox/page.css" />
				<script src="/sandbox/page.js" type="module"></script>
			</head>
			<body>
				<div class="whole">
					<header>
						<h1><img src="/sandbox/page.svg" alt="" /> Agency Records sandbox</h1>
						<nav aria-label="Parts of the page">
							<a href="#requests">Requests</a>
							<a href="#credential">Credential</a>
							<a href="#records">Records</a>
							<a href="#faults">Faults</a>
							<a href="#dialects">Dialects</a>
						</nav>
						<label class="switch scripted">
							<input type="checkbox" role="switch" id="live" checked /> Live updates
						</label>
					</header>
					<main>
						<div class="columns">
							<section id="requests" aria-labelledby="requests-title">
								<h2 id="requests-title">Requests</h2>
								<div data-live="request">${openRequestPart(requestLog, view)}</div>
								<div class="scroll" role="group" aria-labelledby="requests-title" tabindex="0">
									<div data-live="requests">${requestsPart(requestLog, view)}</div>
								</div>
							</section>
							<section id="credential" aria-labelledby="credential-title">
								<h2 id="credential-title">Credential</h2>
								<form method="post">
									<table>
										<caption>
											What to enter in n8n, in a credential of the type Agency Records API
										</caption>
										<tbody>
											${credentialValues(url, accounts).map(credentialRow)}
										</tbody>
									</table>
								</form>
							</section>
						</div>
						${recordsSection(records, view, json)}
						<div class="columns even">
							<section id="faults" aria-labelledby="faults-title">
								<div data-live="plan">${planPart(faults)}</div>
							</section>
							<section id="dialects" aria-labelledby="dialects-title">
								<div data-live="dialects">${dialectsPart(dialects)}</div>
							</section>
						</div>
					</main>
				</div>
				<p id="message" role="status">${message}</p>
			</body>
		</html>`.text;
