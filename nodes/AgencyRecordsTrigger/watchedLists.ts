// The lists that the trigger can watch; the tables of their areas say which fields these have.
import { watchedListsOf } from '../../engine/form/trigger';
import { criticalInfrastructure } from '../AgencyCriticalInfrastructure/criticalInfrastructure.area';
import { nemsis3 } from '../AgencyNemsis3/nemsis3.area';
import { vendors } from '../AgencyVendors/vendors.area';

export const watchedLists = [
	...watchedListsOf(vendors),
	...watchedListsOf(nemsis3),
	// The area's own name is not clear among the lists of other areas.
	...watchedListsOf(criticalInfrastructure).map(({ operation }) => ({
		name: 'infrastructureCategory',
		label: 'Critical Infrastructure Category',
		operation,
	})),
];
