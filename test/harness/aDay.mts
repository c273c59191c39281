/** When a shift begins and ends, where a test sends one for another reason. */
export const aDay = { fromDate: '2026-03-02T07:00:00-05:00', toDate: '2026-03-03T07:00:00-05:00' };
