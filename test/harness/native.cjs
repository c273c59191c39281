// A jest transformer: replaces a module of n8n-in-process or the sandbox with the one that Node itself has loaded.
module.exports = {
	process: (_source, path) => ({ code: `module.exports = native(${JSON.stringify(path)});` }),
};
