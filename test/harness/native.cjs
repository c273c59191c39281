// A jest transformer: a module of the runner or the sandbox is the one that Node itself has loaded.
module.exports = {
	process: (_source, path) => ({ code: `module.exports = native(${JSON.stringify(path)});` }),
};
