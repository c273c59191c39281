// Uploads: each item is one request with its file, streamed as multipart form data.
import type { UploadOperation } from '../area';
import { findFile } from '../request/binaryFile';
import { Multipart } from '../request/multipart';
import { eachAlone, maxHeavyRequests, type Kind } from './job';
import { sendRecord } from './record';

export const upload: Kind<UploadOperation> = {
	maxParallel: maxHeavyRequests,
	group: eachAlone,

	/** The file must be there before anything is sent. */
	async prepare(ctx, job) {
		const found = await findFile(ctx, job.values.settings.inputDataFieldName, job.itemIndex);
		if ('text' in found) return found;
		job.file = found;
		return undefined;
	},

	async send(task) {
		const { values, file } = task.jobs[0]!;
		const { partName, additionalFields } = values.settings;
		const form = new Multipart(partName, file!, additionalFields);
		await sendRecord(task, form).finally(() => form.closeFile());
	},
};
