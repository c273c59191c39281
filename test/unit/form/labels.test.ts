import { humanize } from '../../../engine/form/labels';

test.each([
	['stationNumber', 'Station Number'],
	['fromDate', 'From Date'],
	['userID', 'User ID'],
	['address1', 'Address 1'],
	['url', 'URL'],
	['zip', 'ZIP'],
	['IrwinID', 'IRWIN ID'],
	['exposureID', 'Exposure ID'],
	['dAgency.05', 'D Agency 05'],
	['op', 'Op'],
])('%s reads %s', (name, label) => {
	expect(humanize(name)).toBe(label);
});
