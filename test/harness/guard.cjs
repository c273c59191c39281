// Ends the process of tests that never give way, such as a loop of promises: jest's own timer rings in their thread, and
// so never. jest names the file then, and this the test. A thread of its own.
const { writeSync } = require('node:fs');
const { parentPort } = require('node:worker_threads');

/** jest's own timer comes first where it can ring. */
const grace = 5000;

/** Milliseconds between two looks. */
const interval = 1000;

let running = { what: '', endsBy: Infinity };
parentPort.on('message', (now) => (running = now));
setInterval(() => {
	if (Date.now() < running.endsBy + grace) return;
	writeSync(2, `Never gave way, so that its process is ended: ${running.what}\n`);
	process.kill(process.pid, 'SIGKILL');
}, interval);
