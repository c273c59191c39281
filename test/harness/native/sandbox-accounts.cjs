module.exports = globalThis.native['sandbox-accounts'];
