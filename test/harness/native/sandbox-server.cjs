module.exports = globalThis.native['sandbox-server'];
