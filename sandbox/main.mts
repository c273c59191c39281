// `npm run sandbox`: the service on this machine, until Ctrl-C.
import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';

import { credentialLines } from './credentialValues.mts';
import { dialectNames, publicDialects, waysOf, type Dialects } from './dialects.mts';
import { faultKinds, wordsOf } from './faultKinds.mts';
import { readDialectFlag } from './readDialects.mts';
import { readFaultFlag } from './readFaultPlan.mts';
import { startSandbox, type Exchange } from './server.mts';

const usage = `Usage: npm run sandbox -- [options]

  --port <number>            port on 127.0.0.1 (default 8950; 0 picks a free one)
  --data <file>              keep the data in this SQLite file (default: in memory)
  --token-lifetime <seconds> lifetime of access tokens (default 3600)
  --one-live-token           signing in ends the user's earlier access token
  --fault <fault>            break something on purpose; repeatable: the first fault due strikes a request
  --like-public              speak as the public record shows a service with this interface
  --dialect <name>=<option>  decide what the API spec leaves open; repeatable
  --seed <number>            repeat the random choices of an earlier run (default: new ones each time)

A fault is <kind>[=<probability>][,<name>=<value>…], such as
  --fault resetAfter=0.1
  --fault refuse=0.2,status=429,retryAfter=5
  --fault expireToken,operation=uploadFile,times=1
  --fault echo,operation=passwordToken

Kinds, with their defaults:
${faultKinds.map((fault) => `  ${fault.padEnd(12)} ${wordsOf({ fault })}`).join('\n')}

Names: probability (0 to 1), times, operation (operationId in sandbox/openapi.yaml), status,
retryAfter, milliseconds, spread (maximum random delay before the strike, in ms)

Dialects; the first option is the default:
${dialectNames.map((name) => `  ${name.padEnd(20)} ${waysOf(name).join(', ')}`).join('\n')}

The sandbox's page says what they mean.`;

function readFlags() {
	const text = { type: 'string' } as const;
	const { values } = parseArgs({
		options: {
			port: { ...text, default: '8950' },
			data: text,
			'token-lifetime': { ...text, default: '3600' },
			'one-live-token': { type: 'boolean', default: false },
			fault: { ...text, multiple: true, default: [] },
			'like-public': { type: 'boolean', default: false },
			dialect: { ...text, multiple: true, default: [] },
			seed: { ...text, default: String(randomInt(1_000_000)) },
			help: { type: 'boolean', short: 'h' },
		},
	});
	const wholeNumber = (name: keyof typeof values) => {
		const value = Number(values[name]);
		if (Number.isSafeInteger(value) && value >= 0) return value;
		throw new TypeError(`--${name} must be a whole number, not "${String(values[name])}"`);
	};
	return {
		help: values.help,
		port: wholeNumber('port'),
		data: values.data,
		tokenLifetime: wholeNumber('token-lifetime'),
		oneLiveToken: values['one-live-token'],
		faults: values.fault.map(readFaultFlag),
		dialects: Object.assign(
			{},
			values['like-public'] && publicDialects,
			...values.dialect.map(readDialectFlag),
		) as Partial<Dialects>,
		seed: wholeNumber('seed'),
	};
}

function logLine({ method, url, status, milliseconds }: Exchange): void {
	const time = new Date().toISOString().slice(11, 19);
	console.log(`${time} ${method} ${url} ${status} ${milliseconds} ms`);
}

async function main() {
	const { help, ...flags } = readFlags();
	if (help) return console.log(usage);
	const sandbox = await startSandbox({ ...flags, onExchange: logLine });
	console.log(`The sandbox runs at ${sandbox.url}: open it in a browser to look inside. Values for the credential "Agency Records API":

${credentialLines(sandbox.url)}
${flags.faults.length > 0 ? `\nFaults strike with the seed ${flags.seed}.\n` : ''}
Ctrl-C stops it.`);
	for (const signal of ['SIGINT', 'SIGTERM'] as const) {
		process.once(signal, () => void sandbox.close());
	}
}

try {
	await main();
} catch (error) {
	const { code, message, port } = error as NodeJS.ErrnoException & { port?: number };
	const isTaken = code === 'EADDRINUSE';
	const taken = `Port ${port} is in use: choose another with --port.`;
	console.error(isTaken ? taken : `${message}\n\n${usage}`);
	process.exitCode = 1;
}
