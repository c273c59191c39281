// n8n shows our own message of a failure, whatever words it contains, cut to a bounded size.
import type { INode } from 'n8n-workflow';

import { Failure } from '../../../engine/failure';
import {
	errorItemOf,
	invalidItem,
	namedRows,
	toInvalidItemsError,
	toNodeError,
} from '../../../engine/items/errors';

const node: INode = {
	id: '1',
	name: 'Node',
	type: 'n8n-nodes-agency-records.agencyUsers',
	typeVersion: 1,
	position: [0, 0],
	parameters: {},
};

test.each(['no ', 'Löschzug ', '🚒', '\ud83d'])('a flood of %s is cut short', (piece) => {
	const failure = new Failure(piece.repeat(100_000), 'refused', {
		status: 400,
		serviceMessages: Array<string>(100).fill(piece.repeat(500)),
		advice: 'Correct it.',
	});
	const items = Array.from({ length: 2_000 }, (_, n) => ({ key: `${piece}${n}`.repeat(100) }));
	const report = 'Not processed: items 0–9.';
	const { message, description } = toNodeError(node, failure, namedRows(items, [1234]), report);
	const { message: longest } = toNodeError(
		node,
		new Failure(failure.message, 'unreadable', failure.details),
		namedRows(
			items,
			[...items.keys()].filter((index) => index % 2 > 0),
		),
	);
	for (const text of [message, longest]) expect(Buffer.byteLength(text)).toBeLessThanOrEqual(2048);
	expect(message).toMatch(/… \[row 1235 \(item 1234; key ".+ …"\)\]$/);
	expect(description).toBe(`Correct it.\n${report}`);
	const json = errorItemOf(1234, items, [failure])(failure);
	expect(Buffer.byteLength(json.message as string)).toBeLessThanOrEqual(2048);
	expect(Buffer.byteLength(JSON.stringify(json.error))).toBeLessThan(100_000);
});

describe('a run that sends nothing because of invalid rows', () => {
	/** The error for rows that break rules, each message as long as two lines of n8n's panel. */
	const errorOf = (...rulesByRow: string[][]) =>
		toInvalidItemsError(
			node,
			new Map(
				rulesByRow.map((rules, itemIndex) => [
					itemIndex,
					invalidItem(
						rules.map((rule) => ({ label: rule, rule, text: `breaks ${rule.repeat(180)}` })),
					),
				]),
			),
			Array(20).fill({}),
			'',
		);

	test('names the most frequent problems first, and says where to see all', () => {
		const { message, description } = errorOf(['d'], ['a', 'b'], ['b', 'a', 'c'], ['c', 'a']);
		expect(message).toMatch(/^Nothing was sent: 4 of 20 items have invalid values\. 'a' /);
		expect(message).toMatch(/\. And other problems\.$/);
		expect(message).not.toContain("'d'");
		expect(description).toMatch(/'Check Only'.*'Continue'/);
	});

	test('mentions no other problems if all are named', () => {
		const { message } = errorOf(['a', 'b'], ['b', 'c']);
		expect(message).toMatch(/'b' .*'a' .*'c' .*\[row 2 \(item 1\)\]\.$/);
	});
});
