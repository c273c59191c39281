// The lists that the trigger can watch, in alphabetical order. Their fields come from the tables of their areas.
import type { Area, WatchedList } from '../../engine/area';
import { criticalInfrastructure } from '../AgencyCriticalInfrastructure/criticalInfrastructure.area';
import { nemsis3 } from '../AgencyNemsis3/nemsis3.area';
import { requests } from '../AgencyRecordsRequest/requests';
import { vendors } from '../AgencyVendors/vendors.area';

const listsOf = ({ resources }: Area): WatchedList[] =>
	resources.flatMap(({ name, label, operations }) =>
		operations
			.filter((operation) => operation.kind === 'list')
			.map((operation) => ({ name, label, operation: { ...operation, isWatched: true } })),
	);

export const watchedLists = [
	// Among lists of other areas, the area's own name would be unclear.
	...listsOf(criticalInfrastructure).map(({ operation }) => ({
		name: 'infrastructureCategory',
		label: 'Critical Infrastructure Category',
		operation,
	})),
	...listsOf(nemsis3),
	...listsOf(requests).map(({ operation }) => ({
		name: 'otherList',
		label: 'Other List',
		operation,
	})),
	...listsOf(vendors),
];
