// Handles credentials as the full n8n does: it fills in defaults, evaluates expressions for the item that the credential
// is read for, and stores the token after signing in.
import type {
	ICredentialDataDecryptedObject,
	ICredentialType,
	IHttpRequestHelper,
	IHttpRequestOptions,
	INode,
	INodeCredentialsDetails,
	INodeParameters,
	INodeProperties,
	ICredentialsExpressionResolveValues,
	IExecuteData,
	WorkflowExecuteMode,
} from 'n8n-workflow';

import { workflow as n8n } from './n8n.mts';

/** Takes the place of n8n's database table of credentials. Every read returns a copy, as from a database. */
export class CredentialStore {
	readonly rows = new Map<string, ICredentialDataDecryptedObject>();

	read(id: string): ICredentialDataDecryptedObject {
		const row = this.rows.get(id);
		if (!row) throw new n8n.UserError(`There is no credential with the ID "${id}"`);
		return structuredClone(row);
	}
}

/** Follows the rules of the class of the same name in n8n's server, without its encryption and its database. */
export class CredentialsHelper extends n8n.ICredentialsHelper {
	private readonly types: ReadonlyMap<string, ICredentialType>;
	private readonly store: CredentialStore;

	constructor(types: Iterable<ICredentialType>, store: CredentialStore) {
		super();
		this.types = new Map([...types].map((type) => [type.name, type]));
		this.store = store;
	}

	private type(name: string): ICredentialType {
		const type = this.types.get(name);
		if (!type) throw new n8n.UserError(`There is no credential type "${name}"`);
		return type;
	}

	getParentTypes(): string[] {
		return [];
	}

	getCredentialsProperties(type: string): INodeProperties[] {
		return this.type(type).properties;
	}

	isCredentialUsableByNode(): boolean {
		return true;
	}

	getOAuth2Options(): undefined {
		return undefined;
	}

	getCredentials(): Promise<never> {
		throw new n8n.UnexpectedError('Encrypted credentials are not used here');
	}

	async getDecrypted(
		_additionalData: unknown,
		{ id }: INodeCredentialsDetails,
		type: string,
		mode: WorkflowExecuteMode,
		executeData?: IExecuteData,
		_raw?: boolean,
		item?: ICredentialsExpressionResolveValues,
	): Promise<ICredentialDataDecryptedObject> {
		const stored = this.store.read(id ?? '') as INodeParameters;
		const { properties } = this.type(type);
		const data = n8n.NodeHelpers.getNodeParameters(properties, stored, true, false, null, null)!;
		if (!item) return data as ICredentialDataDecryptedObject;
		return item.workflow.expression.getParameterValue(
			data,
			item.runExecutionData,
			item.runIndex,
			item.itemIndex,
			item.node.name,
			item.connectionInputData,
			mode,
			{},
			executeData,
			false,
			data,
		) as ICredentialDataDecryptedObject;
	}

	/** n8n calls this before every request, and with `expired` after a 401. */
	async preAuthentication(
		helpers: IHttpRequestHelper,
		credentials: ICredentialDataDecryptedObject,
		typeName: string,
		node: INode,
		expired: boolean,
	): Promise<ICredentialDataDecryptedObject | undefined> {
		const type = this.type(typeName);
		const expirable = type.properties.find(
			({ type: kind, typeOptions }) => kind === 'hidden' && typeOptions?.expirable === true,
		)?.name;
		if (!expirable || !type.preAuthentication) return undefined;
		if (credentials[expirable] !== '' && !expired) return undefined;
		const output = (await type.preAuthentication.call(
			helpers,
			credentials,
		)) as ICredentialDataDecryptedObject;
		if (output[expirable] === undefined) return undefined;
		const id = node.credentials?.[typeName]?.id ?? '';
		this.store.rows.set(id, { ...this.store.read(id), ...output });
		return Object.assign(credentials, output);
	}

	async runPreAuthentication(): Promise<undefined> {
		return undefined;
	}

	async authenticate(
		credentials: ICredentialDataDecryptedObject,
		typeName: string,
		request: IHttpRequestOptions,
	): Promise<IHttpRequestOptions> {
		const { authenticate } = this.type(typeName);
		return typeof authenticate === 'function' ? await authenticate(credentials, request) : request;
	}

	async updateCredentials(
		{ id }: INodeCredentialsDetails,
		_type: string,
		data: ICredentialDataDecryptedObject,
	): Promise<void> {
		this.store.rows.set(id ?? '', data);
	}

	async updateCredentialsOauthTokenData(): Promise<void> {}
}
