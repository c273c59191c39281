// The option Include: what a write returns beside the service's answer.
import type { INodeExecutionData, INodeParameters } from 'n8n-workflow';

import { AgencyEvents } from '../../../nodes/AgencyEvents/AgencyEvents.node';
import { AgencyInspections } from '../../../nodes/AgencyInspections/AgencyInspections.node';
import { AgencyLicenses } from '../../../nodes/AgencyLicenses/AgencyLicenses.node';
import { AgencyNotifications } from '../../../nodes/AgencyNotifications/AgencyNotifications.node';
import { AgencyShiftSchedules } from '../../../nodes/AgencyShiftSchedules/AgencyShiftSchedules.node';
import { runNode, type RunOptions } from '../../harness/run';
import { useSandbox } from '../../harness/useSandbox';

const sandbox = useSandbox();
const runWith = (options: Omit<RunOptions, 'credentials'>) =>
	runNode({ ...options, credentials: sandbox.credentials() });

describe('what is returned of a write', () => {
	const event = () => sandbox.records.list('event', { limit: 1 }).rows[0]!.id;
	const item = { json: { who: 'Rider', name: 'A shift', station: '4' } };
	const output = async (
		node: RunOptions['node'],
		parameters: INodeParameters,
		include?: string,
		given: INodeExecutionData = item,
	) => {
		const options = include === undefined ? {} : { include };
		const { json, error } = await runWith({
			node,
			items: [given],
			parameters: { ...parameters, options },
		});
		expect(error).toBeUndefined();
		return json;
	};
	const shift = {
		fields: { name: '={{ $json.name }}', stationNumber: '={{ $json.station }}', toDate: '' },
	};
	const id = expect.any(Number);

	test.each([
		[undefined, { shiftScheduleID: id }],
		['sentFields', { shiftScheduleID: id, name: 'A shift', stationNumber: '4' }],
		['inputItem', { shiftScheduleID: id, ...item.json }],
	])('a record, with %s', async (include, expected) => {
		const [result] = await output(new AgencyShiftSchedules(), shift, include);
		expect(result).toEqual(expected);
		expect(Object.keys(result!)[0]).toBe('shiftScheduleID');
	});

	test('what the service says of a field counts', async () => {
		const parameters = {
			fields: { notificationID: 7_000_000 },
			notificationModel: { status: 'new' },
		};
		const [result] = await output(new AgencyNotifications(), parameters, 'sentFields');
		const { notificationID, ...sent } = result!;
		expect(notificationID).toMatch(/^\d+$/);
		expect(notificationID).not.toBe('7000000');
		expect(sent).toEqual({ notificationModel: { status: 'new' } });
	});

	test('IDs are sent too', async () => {
		const eventID = event();
		const parameters = { eventID, fields: { eventName: 'Open house' } };
		expect(await output(new AgencyEvents(), parameters, 'sentFields')).toEqual([
			{ updated: true, eventID, eventName: 'Open house' },
		]);
		const { id: answerID, data } = sandbox.records.list('inspectionAnswer').rows[3]!;
		const ids = { inspectionID: data.inspectionID as number, answerID };
		expect(await output(new AgencyInspections(), ids, 'sentFields')).toEqual([
			{ archived: true, ...ids },
		]);
	});

	test('of a bulk patch, with each path', async () => {
		const parameters = {
			path: { entries: [{ path: '/licenses/101' }, { path: '/licenses/102' }] },
			value: { entries: [{ userID: 7 }] },
		};
		const done = (path: string) => ({ path, status: 200 });
		const sent = { op: 'replace', value: [{ userID: 7 }] };
		expect(await output(new AgencyLicenses(), parameters, 'sentFields')).toEqual([
			{ ...done('/licenses/101'), ...sent },
			{ ...done('/licenses/102'), ...sent },
		]);
		expect((await output(new AgencyLicenses(), parameters, 'inputItem'))[1]).toEqual({
			...item.json,
			...done('/licenses/102'),
		});
	});
});

describe('a new node', () => {
	const createNew = (parameters: RunOptions['parameters']) =>
		runNode({
			node: new AgencyShiftSchedules(),
			credentials: sandbox.credentials(),
			items: [{ shift: 'A' }],
			parameters: { fields: { name: '={{ $json.shift }}' }, ...parameters },
		});

	test('returns what was sent, unless the option is removed', async () => {
		const { json } = await createNew({});
		expect(json).toEqual([{ shiftScheduleID: expect.any(Number), name: 'A' }]);
		const removed = await createNew({ options: {} });
		expect(Object.keys(removed.json[0]!)).toEqual(['shiftScheduleID']);
	});
});
