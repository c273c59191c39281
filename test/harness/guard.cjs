// Kills the process of a test that never yields, such as a loop of promises: jest's own timer runs in the same thread
// and never fires. jest then names the file, and this the test. Runs in a thread of its own.
const { writeSync } = require('node:fs');
const { parentPort } = require('node:worker_threads');

/** jest's own timer comes first if it can fire. */
const grace = 5000;

/** Milliseconds between two checks. */
const interval = 1000;

let running = { what: '', endsBy: Infinity };
parentPort.on('message', (now) => (running = now));
setInterval(() => {
	if (Date.now() < running.endsBy + grace) return;
	writeSync(2, `Never gave way, so that its process is ended: ${running.what}\n`);
	process.kill(process.pid, 'SIGKILL');
}, interval);
