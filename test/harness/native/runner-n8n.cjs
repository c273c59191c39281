module.exports = globalThis.native['runner-n8n'];
