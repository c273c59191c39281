// Builds dist/: compiles, then adds what the compiler leaves out (icons, codex files, addresses).
const { spawn } = require('node:child_process');
const { readFile, rm, writeFile } = require('node:fs/promises');
const { Transform } = require('node:stream');
const { dest, parallel, series, src } = require('gulp');

const manifest = require('./package.json');
const { withAddresses, withRepository } = require('./scripts/addresses.mjs');

const clean = () => rm('dist', { recursive: true, force: true });

const compile = () =>
	spawn(process.execPath, [require.resolve('typescript/bin/tsc'), '-p', 'tsconfig.build.json'], {
		stdio: 'inherit',
	});

const icons = () => src('icons/**/*.svg').pipe(dest('dist/icons'));

const addAddresses = () =>
	new Transform({
		objectMode: true,
		transform(file, _encoding, done) {
			const node = file.basename.replace('.node.json', '');
			const codex = withAddresses(JSON.parse(file.contents), node, manifest);
			file.contents = Buffer.from(JSON.stringify(codex, null, '\t'));
			done(null, file);
		},
	});

const codex = () => src('nodes/**/*.node.json').pipe(addAddresses()).pipe(dest('dist/nodes'));

async function credential() {
	const file = 'dist/credentials/AgencyRecordsApi.credentials.js';
	await writeFile(file, withRepository(await readFile(file, 'utf8'), manifest));
}

exports.default = series(clean, parallel(series(compile, credential), icons, codex));
