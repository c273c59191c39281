module.exports = globalThis.native['runner-workflow'];
