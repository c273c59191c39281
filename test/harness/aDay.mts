/** The start and end of a shift, for tests that are not about them. */
export const aDay = { fromDate: '2026-03-02T07:00:00-05:00', toDate: '2026-03-03T07:00:00-05:00' };
