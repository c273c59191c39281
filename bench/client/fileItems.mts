// Input items that each hold a file, stored as n8n's server stores binary data.
import type { INodeExecutionData } from 'n8n-workflow';

import { Container, core } from '../../n8n-in-process/n8n.mts';

const execution = { type: 'execution', workflowId: 'workflow', executionId: 'run' } as const;
const about = { mimeType: 'application/octet-stream', fileName: 'bench.bin', data: '' };

/** @param file the path of the file, which is copied for each item */
export const fileItems = (file: string, count: number): Promise<INodeExecutionData[]> =>
	Promise.all(
		Array.from({ length: count }, async () => ({
			json: {},
			binary: {
				data: await Container.get(core.BinaryDataService).copyBinaryFile(execution, about, file),
			},
		})),
	);
