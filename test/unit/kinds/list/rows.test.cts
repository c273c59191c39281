// When two rows stand for the same record.
import type { IDataObject } from 'n8n-workflow';

import { idOf, rowKeyOf } from '../../../../engine/kinds/list/rows';

const key = (row: IDataObject) => rowKeyOf(row, 'id');

test.each([[''], ['  '], [null], [true], [{}]])('%j is no ID: its content identifies it', (id) => {
	expect(idOf({ id, v: 1 }, 'id')).toBeUndefined();
	expect(key({ id, v: 1 })).not.toBe(key({ id, v: 2 }));
	expect(key({ id, v: 1, rowNum: 1 })).toBe(key({ rowNum: 2, v: 1, id }));
});

test.each([[0], [7], ['7'], ['a b']])('%j is an ID, whatever else the row contains', (id) => {
	expect(idOf({ id, v: 1 }, 'id')).toBe(id);
	expect(key({ id, v: 1 })).toBe(key({ id, v: 2 }));
});
