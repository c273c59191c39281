// `npm run doctor`: says what of this machine stands in the way, and the command that mends it; fails when something
// that everything needs is wrong. Runs before the installation, so it uses only what Node.js brings along.
import { findings } from './doctor/checks.mjs';
import { machine } from './doctor/machine.mjs';

const marks = { good: '✓', note: '!', wrong: '✗' };
let wrong = 0;

for await (const { state, says, mend } of findings(machine)) {
	console.log(`${marks[state]} ${says}`);
	if (mend) console.log(`    ${mend}`);
	if (state === 'wrong') wrong++;
}
console.log(wrong === 0 ? '\nNothing stands in the way.' : `\nTo be mended first: ${wrong}`);
if (wrong > 0) process.exitCode = 1;
