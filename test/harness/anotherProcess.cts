// Another process of n8n, with modules of its own and thus its own memory.
import type { INodeType } from 'n8n-workflow';

import type * as Schedules from '../../nodes/AgencyShiftSchedules/AgencyShiftSchedules.node';
import type * as Shifts from '../../nodes/AgencyShifts/AgencyShifts.node';
import type * as Run from './run.cts';
import type * as Tester from './testCredential.cts';

export interface AnotherProcess {
	run: typeof Run.runNode;
	/** The node of readShifts(). */
	node: INodeType;
	/** The node of createSchedules(). */
	creating: INodeType;
	testCredential: typeof Tester.testCredential;
}

export function anotherProcess(): AnotherProcess {
	let process!: AnotherProcess;
	jest.isolateModules(() => {
		const { AgencyShifts } = jest.requireActual<typeof Shifts>(
			'../../nodes/AgencyShifts/AgencyShifts.node',
		);
		const { AgencyShiftSchedules } = jest.requireActual<typeof Schedules>(
			'../../nodes/AgencyShiftSchedules/AgencyShiftSchedules.node',
		);
		process = {
			run: jest.requireActual<typeof Run>('./run.cts').runNode,
			node: new AgencyShifts(),
			creating: new AgencyShiftSchedules(),
			testCredential: jest.requireActual<typeof Tester>('./testCredential.cts').testCredential,
		};
	});
	return process;
}
