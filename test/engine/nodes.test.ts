import { AgencyInspections } from '../../nodes/AgencyInspections/AgencyInspections.node';
import { AgencyLicenses } from '../../nodes/AgencyLicenses/AgencyLicenses.node';
import { AgencyShifts } from '../../nodes/AgencyShifts/AgencyShifts.node';
import { AgencyShiftSchedules } from '../../nodes/AgencyShiftSchedules/AgencyShiftSchedules.node';
import { AgencyVendors } from '../../nodes/AgencyVendors/AgencyVendors.node';
import { startSandbox, type Exchange, type Sandbox } from '../../sandbox/server.mts';
import { sandboxCredential } from '../../runner/sandboxCredential.mts';
import { runNode, storeWith } from '../harness/run';

let sandbox: Sandbox;
let exchanges: Exchange[] = [];
beforeAll(async () => {
	sandbox = await startSandbox({ onExchange: (exchange) => exchanges.push(exchange) });
});
beforeEach(() => {
	exchanges = [];
});
afterAll(() => sandbox.close());
const credentials = () => storeWith(sandboxCredential(sandbox.url));

test('a shift schedule is created in the workflow time zone', async () => {
	const { json, error } = await runNode({
		node: new AgencyShiftSchedules(),
		parameters: { fields: { name: '={{ $json.name }}', fromDate: '2026-03-02T07:00:00' } },
		items: [{ name: 'A' }, { name: 'B' }],
		credentials: credentials(),
	});
	expect(error).toBeUndefined();
	console.log(json, exchanges);
});
test('a bad one', async () => {
	const r = await runNode({
		node: new AgencyShiftSchedules(),
		parameters: { fields: { name: '={{ {a: 1} }}', fromDate: '2026-03-08T02:30:00' } },
		credentials: credentials(),
	});
	console.log(r.error?.message, r.error);
});
test('wrong pw', async () => {
	const r = await runNode({
		node: new AgencyShifts(),
		parameters: { shiftID: 101 },
		credentials: storeWith(sandboxCredential(sandbox.url, { password: 'wrong-password' })),
	});
	console.log(r.error?.message, r.error);
});
test('others', async () => {
	const l = await runNode({
		node: new AgencyVendors(),
		parameters: { returnAll: true },
		credentials: credentials(),
	});
	console.log(l.json.length, l.error);
	const s = await runNode({
		node: new AgencyShifts(),
		parameters: { shiftID: 101 },
		credentials: credentials(),
	});
	console.log(s.json);
	const a = await runNode({
		node: new AgencyInspections(),
		parameters: { inspectionID: 101, answerID: 103 },
		credentials: credentials(),
	});
	console.log(a.json);
	const p = await runNode({
		node: new AgencyLicenses(),
		parameters: {
			op: 'replace',
			path: { entries: [{ path: '={{ $json.path }}' }] },
			value: { entries: [{ userID: 7 }] },
		},
		items: [{ path: '/licenses/101' }, { path: '/licenses/9' }, { path: '/licenses/102' }],
		node$: { onError: 'continueErrorOutput' },
		credentials: credentials(),
	});
	console.log(JSON.stringify([p.items, p.errorItems, p.error], null, 1));
});
