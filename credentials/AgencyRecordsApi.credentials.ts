// The only credential type: the subscription key and the OAuth 2.0 settings that sign every request.
import type {
	IAuthenticate,
	Icon,
	ICredentialDataDecryptedObject,
	ICredentialTestRequest,
	ICredentialType,
	IHttpRequestHelper,
	IHttpRequestOptions,
	INodeProperties,
} from 'n8n-workflow';

import { testRequest, type HttpRequest } from '../engine/auth/signIn';
import { forN8n, signatureHeaders, tokenToStore } from '../engine/auth/signing';
import { inputOf } from '../engine/form/form';
import { pageSizeField } from '../engine/form/pageSize';

/** The option of n8n's request helper, and the older helper's options, which the HTTP Request node uses. */
const noRedirects = {
	disableFollowRedirect: true,
	followRedirect: false,
	followAllRedirects: false,
};

export class AgencyRecordsApi implements ICredentialType {
	name = 'agencyRecordsApi';

	displayName = 'Agency Records API';

	icon: Icon = {
		light: 'file:../icons/agencyRecords.svg',
		dark: 'file:../icons/agencyRecords.dark.svg',
	};

	// The build replaces it with the repository's address (scripts/addresses.mjs); lint requires one here.
	documentationUrl = 'https://repository.invalid/blob/main/docs/credential.md';

	properties: INodeProperties[] = [
		{
			displayName: 'Base URL',
			name: 'baseUrl',
			type: 'string',
			default: '',
			required: true,
			placeholder: 'e.g. https://records.example.org',
			description:
				'Address of the service, without the path of an area. It must begin with https://, except for a service on the machine that runs n8n.',
		},
		{
			displayName: 'Subscription Key',
			name: 'apiKey',
			type: 'string',
			typeOptions: { password: true },
			default: '',
			required: true,
			description: 'Sent as Ocp-Apim-Subscription-Key with every request',
			hint: 'Found in your profile with the service; it is not the client secret',
		},
		{
			displayName: 'Grant Type',
			name: 'grantType',
			type: 'options',
			options: [
				{
					name: 'Authorization Code',
					value: 'authorizationCode',
					description: 'For confidential and public clients; no browser is needed',
				},
				{
					name: 'Password',
					value: 'password',
					description: "Only for the service owner's applications, or for testing",
				},
				{
					name: 'Password at an Identity Provider',
					value: 'identityProvider',
					description: 'For a service that accepts the tokens of an identity provider (OAuth 2.0)',
				},
			],
			default: 'authorizationCode',
			description: 'How the workflows sign in',
		},
		{
			displayName:
				"The service reserves the password grant for its owner's applications and for testing",
			name: 'ownersOnlyNotice',
			type: 'notice',
			default: '',
			displayOptions: { show: { grantType: ['password'] } },
		},
		{
			displayName: 'Token URL',
			name: 'tokenUrl',
			type: 'string',
			default: '',
			required: true,
			placeholder: 'e.g. https://login.example.org/oauth2/v2.0/token',
			description:
				'Address where the identity provider issues tokens. Username, password and client secret are sent there; the subscription key only if it is on the host of the Base URL.',
			displayOptions: { show: { grantType: ['identityProvider'] } },
		},
		{
			displayName: 'Client ID',
			name: 'clientId',
			type: 'string',
			default: '',
			required: true,
			description: 'ID of your application',
		},
		{
			displayName: 'Client Secret',
			name: 'clientSecret',
			type: 'string',
			typeOptions: { password: true },
			default: '',
			description: 'Secret of your application',
			hint: 'Leave empty for a public client, which cannot use the grant Password',
		},
		{
			displayName: 'Username',
			name: 'username',
			type: 'string',
			default: '',
			required: true,
			description: 'Account that the workflows sign in with',
		},
		{
			displayName: 'Password',
			name: 'password',
			type: 'string',
			typeOptions: { password: true },
			default: '',
			required: true,
			description: 'Password of that account',
		},
		{
			displayName: 'Redirect URI',
			name: 'redirectUri',
			type: 'string',
			default: '',
			required: true,
			placeholder: 'e.g. https://app.example.org/callback',
			description: 'Redirect address of your application',
			hint: 'Exactly as registered for the client; n8n never opens this address, the service only compares it',
			displayOptions: { show: { grantType: ['authorizationCode'] } },
		},
		{
			displayName: 'Scope',
			name: 'scope',
			type: 'string',
			default: '',
			placeholder: 'e.g. https://login.example.org/records/full_access',
			description:
				'Scope of the token, as the identity provider calls it; separate several with spaces',
			displayOptions: { show: { grantType: ['identityProvider'] } },
		},
		{
			displayName: 'Additional Parameters',
			name: 'additionalParameters',
			type: 'string',
			default: '',
			placeholder: 'e.g. {"response_type": "token"}',
			description:
				'Other parameters that the identity provider requires, as one JSON object of texts and numbers. Anyone who may open this credential can read them.',
			displayOptions: { show: { grantType: ['identityProvider'] } },
		},
		{
			displayName: 'Authorization Header',
			name: 'authorizationHeader',
			type: 'options',
			options: [
				{ name: 'Token Alone', value: 'token' },
				{ name: 'Bearer and Token', value: 'bearer' },
			],
			default: 'token',
			description:
				'How this header carries the access token. It is not documented: change it only if a freshly issued token is refused.',
		},
		inputOf(pageSizeField),
		{
			displayName: 'Access Token',
			name: 'accessToken',
			type: 'hidden',
			// n8n signs in when an expirable field is empty; `password` keeps it unreadable through n8n's API.
			typeOptions: { expirable: true, password: true },
			default: '',
		},
	];

	/** n8n calls this when there is no token, after a 401, and for its Test button; it stores what is returned. */
	async preAuthentication(
		this: IHttpRequestHelper,
		credentials: ICredentialDataDecryptedObject,
	): Promise<{ accessToken?: string }> {
		const http: HttpRequest = async (options) =>
			(await this.helpers.httpRequest(options)) as unknown;
		return await forN8n(() => tokenToStore(http, credentials));
	}

	/** Adds both headers. It is a function because n8n would evaluate the declarative form again for every request. */
	authenticate: IAuthenticate = async (credentials, request: IHttpRequestOptions) => ({
		...request,
		headers: {
			...request.headers,
			...(await forN8n(() => signatureHeaders(credentials, request))),
		},
		// A redirect would carry the key to another host.
		...noRedirects,
	});

	/** preAuthentication, which signs in for this request, finds and reports any problem (engine/auth/signIn.ts). */
	test: ICredentialTestRequest = {
		request: {
			baseURL: '={{ $credentials.baseUrl.trim().replace(/(?<!\\/)\\/+$/, "") }}',
			...testRequest,
			headers: { 'Content-Type': 'application/json' },
			disableFollowRedirect: true,
		},
	};
}
