// The records of a believable agency, the same on every machine.
import { en, Faker } from '@faker-js/faker';

import { areas } from './loadAreas.mts';
import type { RecordStore } from './recordStore.mts';

/** Made once in a process: a copy takes a fraction of the time. */
let snapshot: string | undefined;

/** Fills an empty store with the initial records of all areas. */
export function insertInitialRecords(records: RecordStore): void {
	if (snapshot) return records.restore(snapshot);
	records.transaction(() => {
		for (const area of areas) {
			const faker = new Faker({ locale: en, seed: 1871 });
			faker.setDefaultRefDate('2026-01-01T00:00:00Z');
			area.insertInitialRecords?.(records, faker);
		}
	});
	snapshot = records.snapshot();
}
