// Loaded into a process: leaves in the file PROCESSOR_TIME the milliseconds of processor time that it has taken.
const { writeFileSync } = require('node:fs');

process.on('exit', () => {
	const { user, system } = process.cpuUsage();
	writeFileSync(process.env.PROCESSOR_TIME, String((user + system) / 1000));
});
