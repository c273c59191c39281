// When two rows stand for the same record.
import { RowIdentity } from '../../../../engine/kinds/list/rowIdentity';

const identity = new RowIdentity('id');

test.each([[''], ['  '], [null], [true], [{}]])(
	'%j is no ID: the row is known by what it holds',
	(id) => {
		expect(identity.idOf({ id, v: 1 })).toBeUndefined();
		expect(identity.keyOf({ id, v: 1 })).not.toBe(identity.keyOf({ id, v: 2 }));
		expect(identity.keyOf({ id, v: 1, rowNum: 1 })).toBe(identity.keyOf({ rowNum: 2, v: 1, id }));
	},
);

test.each([[0], [7], ['7'], ['a b']])('%j is an ID, whatever else the row holds', (id) => {
	expect(identity.idOf({ id, v: 1 })).toBe(id);
	expect(identity.keyOf({ id, v: 1 })).toBe(identity.keyOf({ id, v: 2 }));
});

test('the number and the text of an ID are two records', () => {
	expect(identity.keyOf({ id: 7 })).not.toBe(identity.keyOf({ id: '7' }));
});

test('a list without IDs', () => {
	const rows = new RowIdentity();
	expect(rows.idOf({ id: 7 })).toBeUndefined();
	expect(rows.keyOf({ id: 7, v: 1 })).not.toBe(rows.keyOf({ id: 7, v: 2 }));
});
