module.exports = globalThis.native['n8n-workflow'];
