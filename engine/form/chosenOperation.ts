// Finds the operation that was chosen on the form.
import type { IExecuteFunctions } from 'n8n-workflow';

import type { Area, Operation } from '../area';
import { Failure } from '../failure';

/** n8n adds "Custom API Call" to the dropdowns of every node that has a credential. */
const customApiCall = '__CUSTOM_API_CALL__';

/** @throws Failure when the node has no such operation */
export function chosenOperation(ctx: IExecuteFunctions, area: Area): Operation {
	const resourceName = ctx.getNodeParameter('resource', 0);
	const operationName = ctx.getNodeParameter('operation', 0, '');
	if (resourceName === customApiCall || operationName === customApiCall) {
		throw new Failure('This node cannot make a custom API call', 'notSent', {
			code: 'invalidNode',
			advice:
				"Use the HTTP Request node with the predefined credential type 'Agency Records API', or choose an operation of this node.",
		});
	}
	const operation = area.resources
		.find(({ name }) => name === resourceName)
		?.operations.find(({ name }) => name === operationName);
	if (operation) return operation;
	throw new Failure(
		`This node has no operation "${operationName}" for the resource "${resourceName}"`,
		'notSent',
		{ code: 'invalidNode', advice: "Choose 'Resource' and 'Operation' from their lists." },
	);
}
