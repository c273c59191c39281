// What to type into n8n's credential, to copy.
import { credentialValues, type CredentialValue } from '../credentialValues.mts';
import { html, type Html } from './html.mts';

const row = ({ label, value, note }: CredentialValue): Html =>
	html`<tr>
		<th scope="row">${label}</th>
		<td>
			<code>${value}</code>
			<button type="button" class="scripted" data-copy="${value}" aria-label="Copy ${label}">
				Copy
			</button>
			${note && html`<span class="hint">${note}</span>`}
		</td>
	</tr> `;

/** @param url of the sandbox */
export const credentialSection = (url: string): Html => html`
	<section id="credential" aria-labelledby="credential-title">
		<h2 id="credential-title">Credential</h2>
		<table>
			<caption>
				What to enter in n8n, in a credential of the type Agency Records API
			</caption>
			<tbody>
				${credentialValues(url).map(row)}
			</tbody>
		</table>
	</section>
`;
