// The settings of the credential that say how a service does what the API spec leaves open.
import { conventionsOf } from '../../../engine/form/serviceConventions';

test('what the credential does not set has its default', () => {
	expect(conventionsOf({})).toEqual({ pageSize: 100, offsetBase: '0' });
	expect(conventionsOf({ offsetBase: '1' })).toEqual({ pageSize: 100, offsetBase: '1' });
});

test('all values that the form does not offer are named', () => {
	expect(() => conventionsOf({ offsetBase: '2', pageSize: 0 })).toThrow(
		/: 'Page Size', 'Offset Counts From'$/,
	);
});
