// The rules of the house, broken on purpose: lint must refuse each arrow that leads up, or next door.
import { Linter } from 'eslint';

import { floors, houseRules } from '../../scripts/floors.mjs';
import { arrows } from '../../scripts/house.mts';

/** Whether lint lets a file of the package import another. */
function allows(file: string, path: string): boolean {
	const messages = new Linter().verify(`import '${path}';`, houseRules, { filename: file });
	expect(messages.filter(({ fatal }) => fatal)).toEqual([]);
	return messages.length === 0;
}

test.each([
	['engine/http/json.ts', '../form/labels', false],
	['engine/area.ts', './form/labels', false],
	['engine/area.ts', './failure', false],
	['engine/form/form.ts', '../area', true],
	['engine/form/form.ts', './layout', true],
	['engine/form/form.ts', '../auth/token', false],
	['engine/send/serviceClient.ts', '../answer/answer', false],
	['engine/send/serviceClient.ts', '../request/request', true],
	['engine/request/request.ts', '../items/results', false],
	['engine/items/results.ts', '../request/request', false],
	['engine/kinds/list/readList.ts', '../../run', false],
	['engine/run.ts', './kinds/list/list', true],
	['engine/run.ts', '../nodes/AgencyVendors/vendors.area', false],
	['engine/auth/token.ts', '../../credentials/AgencyRecordsApi.credentials', false],
	['engine/http/json.ts', '../../sandbox/store.mts', false],
	['nodes/AgencyVendors/AgencyVendors.node.ts', '../../engine/run', true],
	['nodes/AgencyVendors/AgencyVendors.node.ts', '../../credentials/x', false],
	['nodes/AgencyVendors/AgencyVendors.node.ts', '../AgencyUsers/users.area', true],
	['credentials/AgencyRecordsApi.credentials.ts', '../engine/auth/token', true],
	['credentials/AgencyRecordsApi.credentials.ts', '../nodes/AgencyVendors/vendors.area', false],
	['sandbox/areas/vendors.mts', '../../engine/area', false],
	['sandbox/areas/vendors.mts', '../store.mts', true],
])('%s → %s: %s', (file, path, allowed) => {
	expect(allows(file, path)).toBe(allowed);
});

test('of two rooms on different floors only the lower may be used, of two on one floor neither', () => {
	const rooms = floors.flatMap((floor, level) =>
		Object.keys(floor).map((room) => ({ room, level })),
	);
	const fromRoot = (room: string) => `../../${room}/file`;
	const wrong = rooms.flatMap(({ room, level }) =>
		rooms
			.filter((other) => other.room !== room)
			.filter((other) => allows(`${room}/file.ts`, fromRoot(other.room)) !== other.level > level)
			.map((other) => `${room} → ${other.room}`),
	);
	expect(wrong).toEqual([]);
});

test('the arrows read from the imports all lead down', () => {
	const levelOf = (room: string) => floors.findIndex((floor) => room in floor);
	const all = arrows();
	expect(all.length).toBeGreaterThan(20);
	expect(all.filter(({ from, to }) => levelOf(from) >= levelOf(to))).toEqual([]);
});
