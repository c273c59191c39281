// `node scripts/together.mjs <npm script> … [-- <argument> …]`: runs scripts at the same time. The last one gets
// the arguments, and its output is shown as it comes; what the others have to say is shown when they end.
// Fails when one of them fails.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

const words = process.argv.slice(2);
const end = words.includes('--') ? words.indexOf('--') : words.length;
const scripts = words.slice(0, end);
const env = { ...process.env, ...(process.stdout.isTTY && { FORCE_COLOR: '1' }) };

/** @returns whether the script succeeded */
async function run(script, isLast) {
	const args = isLast ? words.slice(end) : [];
	const child = spawn(process.execPath, ['--run', script, ...args], {
		env,
		stdio: ['ignore', 'pipe', 'pipe'],
	});
	const lines = [];
	// Whole lines, so that two scripts never write into the same one.
	for (const stream of [child.stdout, child.stderr]) {
		createInterface({ input: stream }).on('line', (line) => {
			if (isLast) console.log(line);
			else lines.push(line);
		});
	}
	const [code] = await once(child, 'close');
	if (lines.length > 0) console.log(`\n${lines.join('\n')}\n`);
	return code === 0;
}

const succeeded = await Promise.all(
	scripts.map((script, index) => run(script, index === scripts.length - 1)),
);
const failed = scripts.filter((_, index) => !succeeded[index]);
if (failed.length > 0) {
	console.log(`Failed: ${failed.join(', ')}`);
	process.exitCode = 1;
}
