// `node scripts/step.mjs <what> <npm script>`: runs a script whose output matters only when it fails, and shows
// meanwhile that something goes on. Also runs before the installation, so it uses only what Node.js 20 brings along.
import { spawn } from 'node:child_process';
import { once } from 'node:events';

/** @param {number} since milliseconds since the epoch */
function durationSince(since) {
	const seconds = (Date.now() - since) / 1000;
	if (seconds < 60) return `${seconds.toFixed(1)} s`;
	return `${Math.floor(seconds / 60)} min ${Math.floor(seconds % 60)} s`;
}

/**
 * Says that something has begun: on a terminal with a clock that runs, elsewhere in plain lines.
 * @param {string} what such as "Building the nodes"
 * @param {{ isTTY?: boolean, write: (text: string) => unknown }} out
 * @param {{ CI?: string }} env
 * @returns {(succeeded?: boolean) => void} to be called at its end
 */
export function begin(what, out = process.stdout, env = process.env) {
	const since = Date.now();
	// Nobody watches a log, and many programs that show one believe to be a terminal.
	if (!out.isTTY || env.CI) {
		out.write(`${what} …\n`);
		return (succeeded = true) =>
			void out.write(`  ${succeeded ? 'done' : 'failed'} after ${durationSince(since)}\n`);
	}
	const show = (text) => out.write(`\r\x1b[2K${text}`);
	const running = () => show(`· ${what} … ${durationSince(since)}`);
	running();
	const clock = setInterval(running, 100);
	return (succeeded = true) => {
		clearInterval(clock);
		show(`${succeeded ? '✓' : '✗'} ${what} (${durationSince(since)})\n`);
	};
}

/**
 * Runs npm; what it prints is shown when it fails, and then this process ends as it did.
 * @param {string} what it does
 * @param {string[]} args
 * @param {string} [cwd]
 */
export async function step(what, args, cwd) {
	const end = begin(what);
	const child = spawn('npm', args, {
		cwd,
		stdio: ['ignore', 'pipe', 'pipe'],
		shell: process.platform === 'win32',
	});
	const printed = [];
	for (const stream of [child.stdout, child.stderr])
		stream.on('data', (part) => printed.push(part));
	const [status] = await once(child, 'close');
	if (status === 0) return end();
	end(false);
	process.stderr.write(Buffer.concat(printed));
	process.exit(status ?? 1);
}

if (import.meta.main) {
	const [what, script] = process.argv.slice(2);
	void step(what, ['run', '--silent', script]);
}
