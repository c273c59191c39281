// Builds dist/: compiles, then adds what the compiler leaves out (icons, codex files, addresses). Everything is built
// next to dist/ and replaces it at the end, so that other programs that use or build dist/ are not disturbed. Lint
// checks the types, so the compiler only strips them.
const { spawn } = require('node:child_process');
const { mkdir, readFile, rename, rm, writeFile } = require('node:fs/promises');
const { Transform } = require('node:stream');
const { dest, parallel, series, src } = require('gulp');

const manifest = require('./package.json');
const { withAddresses, withRepository } = require('./scripts/addresses.mjs');

const building = `node_modules/.cache/dist-${process.pid}`;
const outdated = `${building}-outdated`;

async function folder() {
	console.log('Building the nodes …');
	await mkdir(building, { recursive: true });
}

const compile = () => {
	const tsc = require.resolve('typescript/bin/tsc');
	const options = ['-p', 'tsconfig.build.json', '--noCheck', '--outDir', building];
	return spawn(process.execPath, [tsc, ...options], { stdio: 'inherit' });
};

const icons = () => src('icons/**/*.svg').pipe(dest(`${building}/icons`));

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

const codex = () =>
	src('nodes/**/*.node.json')
		.pipe(addAddresses())
		.pipe(dest(`${building}/nodes`));

async function credential() {
	const file = `${building}/credentials/AgencyRecordsApi.credentials.js`;
	await writeFile(file, withRepository(await readFile(file, 'utf8'), manifest));
}

/** Replaces dist/. Another build may be replacing it at the same moment. */
async function replace() {
	for (let tries = 1; ; tries++) {
		await rename('dist', outdated).catch(() => {});
		const error = await rename(building, 'dist').catch((reason) => reason);
		await rm(outdated, { recursive: true, force: true });
		if (!error) return;
		if (tries === 5) throw error;
	}
}

exports.default = series(folder, parallel(series(compile, credential), icons, codex), replace);
