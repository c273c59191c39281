// The page as a whole.
import { credentialSection } from './credentialSection.mts';
import { dialectsSection } from './dialectsSection.mts';
import { faultsSection } from './faultsSection.mts';
import { html } from './html.mts';
import { liveParts } from './liveParts.mts';
import { recordForm } from './recordForm.mts';
import { recordsSection } from './recordsSection.mts';
import { requestsSection } from './requestsSection.mts';
import type { SandboxState } from './sandboxState.mts';
import type { PageQuery } from './pageAddress.mts';

/** What a person did last. */
interface LastAction {
	/** What became of it. */
	said?: string;
	/** The form, if it was refused: it is shown as it was filled in. */
	form?: URLSearchParams;
}

/**
 * @param url of the sandbox
 * @returns the whole document
 */
export function renderPage(
	state: SandboxState,
	view: PageQuery,
	url: string,
	{ said = '', form }: LastAction = {},
): string {
	const parts = liveParts(state, view);
	const { requests, request, plan, dialects, kinds, pages, records } = parts;
	const recordParts = {
		kinds: kinds.content,
		pages: pages.content,
		records: records.content,
	};
	return html`<!doctype html>
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
				<p id="said" role="status">${said}</p>
				<main>
					<div class="columns">
						${requestsSection(requests.content, request.content)} ${credentialSection(url)}
					</div>
					${recordsSection(recordParts, view, recordForm(state.records, view, form))}
					<div class="columns even">
						${faultsSection(plan.content)} ${dialectsSection(dialects.content)}
					</div>
				</main>
			</body>
		</html>`.text;
}
