// The operations of Agency Records Request share most of their inputs. Each of these is a single input, so n8n describes
// it to AI assistants once instead of six times.
import type { INodeProperties } from 'n8n-workflow';

import { groupedBy } from '../../engine/http/format';

/**
 * @param inputs of all operations; inputs with the same name and type differ only in when they are shown
 * @param by the parameter that shows them; from inside a collection, its name starts with a slash
 */
export function sharedInputs(
	inputs: readonly INodeProperties[],
	by = 'operation',
): INodeProperties[] {
	const alike = groupedBy(inputs, ({ name, type }) => `${type} ${name}`);
	return [...alike.values()].map((same) => {
		const [{ displayOptions, ...first }] = same as [INodeProperties];
		// If the dropdown 'Operation' had a condition, n8n would describe each operation separately.
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
