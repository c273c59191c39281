// The ways that are compared, as the report calls them.
export const ours = 'this package';
/** Right after the same work in the same process, with the same account. */
export const oursAgain = `${ours}, again`;
/** With a key: "Send Once". */
export const oursOnce = `${ours}, with a key`;
/** With n8n's setting "On Error: Continue". */
export const oursContinue = `${ours}, "Continue"`;
export const httpRequest = 'HTTP Request';
export const routing = 'routing node';
export const bareLoop = 'bare loop';
export const keepAlive = 'keep-alive client';
export const axiosUpload = 'axios + form-data';
