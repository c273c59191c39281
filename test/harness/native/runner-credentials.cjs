module.exports = globalThis.native['runner-credentials'];
