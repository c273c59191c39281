// `npm run bench` measures in n8n's engine alone; `npm run bench -- full`, `-- queue` and `-- faults` run the other
// programs. The first comment of each explains what it measures and which environment variables it reads.
const programs = {
	engine: () => import('./engine.mts'),
	full: () => import('./full/main.mts'),
	queue: () => import('./queue.mts'),
	faults: () => import('./faults.mts'),
};

const [name = 'engine'] = process.argv.slice(2);
if (Object.hasOwn(programs, name)) await programs[name as keyof typeof programs]();
else {
	console.error(`Unknown bench. Available: ${Object.keys(programs).join(', ')}`);
	process.exitCode = 1;
}
