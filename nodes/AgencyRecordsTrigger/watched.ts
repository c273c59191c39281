// The lists of the interface that the trigger can watch; what is in them say the tables of their areas.
import { watchedListOf } from '../../engine/form/trigger';
import { criticalInfrastructure } from '../AgencyCriticalInfrastructure/criticalInfrastructure.area';
import { nemsis3 } from '../AgencyNemsis3/nemsis3.area';
import { vendors } from '../AgencyVendors/vendors.area';

export const watched = [
	watchedListOf(vendors),
	watchedListOf(nemsis3),
	watchedListOf(criticalInfrastructure, {
		name: 'infrastructureCategory',
		label: 'Critical Infrastructure Category',
	}),
];
