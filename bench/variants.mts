// The compared variants of doing the same work, by the names that the reports show.
export const ours = 'this package';
/** Measured right after the same work in the same process, with the same account. */
export const oursAgain = `${ours}, again`;
/** With an idempotency key, by the option "Send Once". */
export const oursOnce = `${ours}, with a key`;
/** With n8n's node setting "On Error: Continue". */
export const oursContinue = `${ours}, "Continue"`;
export const httpRequest = 'HTTP Request';
export const routing = 'routing node';
export const bareLoop = 'bare loop';
export const keepAlive = 'keep-alive client';
export const axiosUpload = 'axios + form-data';
