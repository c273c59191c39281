// A jest transformer: a module of n8n-in-process or the sandbox is the one that Node itself has loaded.
module.exports = {
	process: (_source, path) => ({ code: `module.exports = native(${JSON.stringify(path)});` }),
};
