// The operations of any request have most inputs in common. Each of these is one input: n8n describes it once to an AI
// assistant, not for each operation.
import type { INodeProperties } from 'n8n-workflow';

import { groupedBy } from '../../engine/http/format';

/**
 * @param inputs of all operations; those with the same name and type differ only in when they are shown
 * @param by the parameter that they are shown by; from inside a collection, its name begins with a slash
 */
export function sharedInputs(
	inputs: readonly INodeProperties[],
	by = 'operation',
): INodeProperties[] {
	const alike = groupedBy(inputs, ({ name, type }) => `${type} ${name}`);
	return [...alike.values()].map((same) => {
		const [{ displayOptions, ...first }] = same as [INodeProperties];
		// Without a condition on the dropdown 'Operation' itself, n8n describes all operations together.
		if (!displayOptions?.show?.[by]) return first;
		const shownBy = (input: INodeProperties) => input.displayOptions?.show?.[by] ?? [];
		const options = same.flatMap((input) =>
			((input.options ?? []) as INodeProperties[]).map((option) => ({
				...option,
				displayOptions: { show: { ...option.displayOptions?.show, '/operation': shownBy(input) } },
			})),
		);
		return {
			...first,
			displayOptions: { show: { ...displayOptions.show, [by]: same.flatMap(shownBy) } },
			...(first.type === 'collection' && { options: sharedInputs(options, '/operation') }),
		};
	});
}
