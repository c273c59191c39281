// A world in which processes of n8n create shift schedules with one account.
import type { ICredentialDataDecryptedObject, IDataObject } from 'n8n-workflow';

import { sandboxCredential } from '../../n8n-in-process/sandboxCredential.mts';
import { Execution } from './execution.cts';
import { N8nProcess } from './n8nProcess.cts';
import { usualAccount, type ServiceManners } from './service.cts';
import { ShiftSchedules } from './shiftSchedules.cts';
import { SimulatedStore } from './store.cts';
import { World } from './world.cts';

type Manners = Omit<ServiceManners, keyof typeof usualAccount> & Partial<ServiceManners>;

/** @param account what differs in the credential */
export function openScheduleWorld(
	seed: number,
	processes: number,
	manners: Manners,
	account: Partial<ICredentialDataDecryptedObject> = {},
	Service = ShiftSchedules,
) {
	const world = new World(seed);
	const store = new SimulatedStore(world);
	const service = new Service(world, { ...usualAccount, ...manners });
	const url = 'https://service.example';
	const credential = sandboxCredential(url, { grantType: 'password', ...account });
	const running = Array.from({ length: processes }, (_, at) => new N8nProcess(world, `n8n ${at}`));
	const demand = (isSo: boolean, law: string) => world.demand(isSo, law);
	return { world, service, running, demand, environment: { store, service, credential } };
}

/**
 * Creates its own rows without keys. @param check called with the output's outcome of each row
 */
export async function createRows(
	{ world, service, running, demand, environment }: ReturnType<typeof openScheduleWorld>,
	{ process, at }: { process: number; at: number },
	{ run, rows, options }: { run: number; rows: number; options?: IDataObject },
	check: (outcome: { isDone: boolean; isInDoubt: boolean; said: string }) => void,
): Promise<void> {
	await world.pause(at);
	const names = Array.from({ length: rows }, (_, row) => `run ${run} row ${row}`);
	const settings = { names, withoutKey: true, options };
	const execution = new Execution(running[process]!, environment, settings);
	await execution.run();
	demand(execution.outcomes.size === rows, 'each row has an item');
	for (const [name, json] of execution.outcomes) {
		const isDone = !('error' in json);
		const said = `${name}: ${JSON.stringify(json)}`;
		const isInDoubt = said.includes('"outcome":"inDoubt"');
		demand(isDone || isInDoubt || /"outcome":"(refused|notSent)"/.test(said), said);
		const times = service.count(name);
		demand(isInDoubt ? times <= 1 : times === (isDone ? 1 : 0), `${name}: ${times} times`);
		check({ isDone, isInDoubt, said });
	}
}
