module.exports = globalThis.native['runner-sandboxCredential'];
