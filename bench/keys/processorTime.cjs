// Is loaded into a process with --require. When the process exits, it writes the milliseconds of processor time that
// the process has used to the file that PROCESSOR_TIME names.
const { writeFileSync } = require('node:fs');

process.on('exit', () => {
	const { user, system } = process.cpuUsage();
	writeFileSync(process.env.PROCESSOR_TIME, String((user + system) / 1000));
});
