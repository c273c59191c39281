// The credential's setting for the number of rows per list request.
import { pageSizeOf } from '../../../engine/form/pageSize';

test('the page size has a default', () => {
	expect(pageSizeOf({})).toBe(100);
	expect(pageSizeOf({ pageSize: null as never })).toBe(100);
	expect(pageSizeOf({ pageSize: 25 })).toBe(25);
});

test.each([0, -1, 1.5, '25', Infinity])('%j, not offered by the form, is refused', (pageSize) => {
	expect(() => pageSizeOf({ pageSize })).toThrow(/^'Page Size' in the credential is not/);
});
