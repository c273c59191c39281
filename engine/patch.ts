// The field `op` of the bulk patches: the same open question in every area that has them.
import { text } from './area';

export const patchOperation = text('op', {
	label: 'Patch Operation',
	default: 'replace',
	required: true,
	description:
		"What the patch does with the paths, sent as 'op'. The service does not state its allowed values.",
});
