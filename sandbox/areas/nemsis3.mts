import type { Area } from '../area.mts';
import { pageOf } from '../listParameters.mts';

const elements = ['dDevice.02', 'dDevice.03', 'dDevice.06'];
const devices = ['Defibrillator', 'Monitor', 'Pulse Oximeter', 'Suction Unit', 'Ventilator'];

export const area: Area = {
	kinds: { deviceCode: 'Device codes' },
	insertInitialRecords(records, { helpers, string }) {
		for (let n = 0; n < 300; n++) {
			const model = `${string.alpha({ length: 2, casing: 'upper' })}-${string.numeric(3)}`;
			records.insert('deviceCode', {
				Element: helpers.arrayElement(elements),
				Code: 1_600_001 + n * 2,
				Description: `${helpers.arrayElement(devices)} ${model}`,
			});
		}
		for (let n = 0; n < 5; n++) records.archive('deviceCode', 110 + n * 50);
	},
	handlers: {
		listDeviceCodes(context, { query }) {
			const { totalRows, rows } = pageOf(context, 'deviceCode', query);
			return {
				totalRows,
				ddevice: rows.map(({ rowNum, data }) => ({ rowNum, ...data })),
			};
		},
	},
};
