// Builds dist/: compiles, then copies what the compiler leaves out (icons, codex files).
const { spawn } = require('node:child_process');
const { rm } = require('node:fs/promises');
const { dest, parallel, series, src } = require('gulp');

const clean = () => rm('dist', { recursive: true, force: true });

const compile = () =>
	spawn(process.execPath, [require.resolve('typescript/bin/tsc'), '-p', 'tsconfig.build.json'], {
		stdio: 'inherit',
	});

const icons = () => src('icons/**/*.svg').pipe(dest('dist/icons'));
const codex = () => src('nodes/**/*.node.json').pipe(dest('dist/nodes'));

exports.default = series(clean, parallel(compile, icons, codex));
