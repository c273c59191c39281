// What n8n shows of a failure: our own message, whatever words are in it, cut to a bounded size.
import type { INode } from 'n8n-workflow';

import { Failure } from '../../../engine/failure';
import { errorFields, toNodeError } from '../../../engine/items/errors';

const node: INode = {
	id: '1',
	name: 'Node',
	type: 'n8n-nodes-agency-records.agencyUsers',
	typeVersion: 1,
	position: [0, 0],
	parameters: {},
};

test.each(['no ', 'Löschzug ', '🚒', '\ud83d'])('the size of a flood of %s', (piece) => {
	const failure = new Failure(piece.repeat(100_000), 'refused', {
		status: 400,
		serviceMessages: Array<string>(100).fill(piece.repeat(500)),
		advice: 'Correct it.',
	});
	const report = 'Not processed: items 0–9.';
	const { message, description } = toNodeError(node, failure, [1234], report);
	expect(Buffer.byteLength(message)).toBeLessThanOrEqual(2048);
	expect(message).toMatch(/… \[row 1235 \(item 1234\)\]$/);
	expect(description).toBe(`Correct it.\n${report}`);
	const json = errorFields(failure, 1234, 2000);
	expect(Buffer.byteLength(json.message as string)).toBeLessThanOrEqual(2048);
	expect(Buffer.byteLength(JSON.stringify(json.error))).toBeLessThan(100_000);
});
