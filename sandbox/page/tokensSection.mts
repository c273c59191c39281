// The access tokens that are valid now.
import type { Accounts, ValidToken } from '../accounts.mts';
import { clock, grouped, html, type Html } from './html.mts';

/** Every sign-in makes a token; the page shows the newest. */
const shown = 20;

const row = ({ masked, username, expires }: ValidToken): Html =>
	html`<tr>
		<td><code>${masked}</code></td>
		<td>${username}</td>
		<td>${clock(expires)}</td>
	</tr> `;

export function tokensPart(accounts: Accounts): Html {
	const tokens = accounts.validTokens();
	return html`
		<table>
			<caption>
				${grouped(tokens.length)} valid
				${tokens.length === 1 ? 'token' : 'tokens'}${tokens.length > shown &&
				`, the newest ${shown} of them here`}
			</caption>
			<thead>
				<tr>
					<th scope="col">Token</th>
					<th scope="col">User</th>
					<th scope="col">Expires</th>
				</tr>
			</thead>
			<tbody>
				${tokens.slice(0, shown).map(row)}
			</tbody>
		</table>
	`;
}

export const tokensSection = (part: Html): Html => html`
	<section id="tokens" aria-labelledby="tokens-title">
		<h2 id="tokens-title">Access tokens</h2>
		<form method="post" action="/sandbox/tokens/revoke" data-stay>
			<button>Revoke all tokens</button>
		</form>
		<div class="scroll" role="group" aria-labelledby="tokens-title" tabindex="0">
			<div data-live="tokens">${part}</div>
		</div>
	</section>
`;
