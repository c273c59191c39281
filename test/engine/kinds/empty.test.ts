import { AgencyInspections } from '../../../nodes/AgencyInspections/AgencyInspections.node';
import { runNode } from '../../harness/run';
import { useSandbox } from '../../harness/useSandbox';

const sandbox = useSandbox();

test('Inspection Answer: Archive', async () => {
	const { id, data } = sandbox.records.list('inspectionAnswer').rows[5]!;
	const { items, error } = await runNode({
		node: new AgencyInspections(),
		parameters: { inspectionID: data.inspectionID as number, answerID: id },
		credentials: sandbox.credentials(),
	});
	expect(error).toBeUndefined();
	const json = { archived: true, inspectionID: data.inspectionID, answerID: id };
	expect(items).toEqual([{ json, pairedItem: { item: 0 } }]);
	expect(sandbox.records.get('inspectionAnswer', id)?.archived).toBe(true);
	const request = sandbox.exchanges.find(
		({ operation }) => operation === 'archiveInspectionAnswer',
	);
	expect(request?.method).toBe('DELETE');
});
