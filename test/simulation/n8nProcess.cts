// A simulated process of n8n: it has an instance of its own of each module of the package, whose clocks, timers and
// chance are those of the world. It dies as a killed process does: nothing that it waits for ever comes.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

import ts from 'typescript';

import type { Place, World } from './world.cts';

const requireHere = createRequire(__filename);
const root = join(__dirname, '..', '..');

/** The globals of a module that differ from process to process. */
type Globals = Pick<typeof globalThis, 'performance' | 'AbortSignal' | 'Math' | 'Date'>;

type ModuleBody = (
	exports: object,
	require: (name: string) => unknown,
	...globals: Array<Globals[keyof Globals]>
) => void;

const globalNames = ['performance', 'AbortSignal', 'Math', 'Date'] as const;

/** As the build compiles it. */
const { options } = ts.getParsedCommandLineOfConfigFile(
	join(root, 'tsconfig.build.json'),
	{},
	{ ...ts.sys, onUnRecoverableConfigFileDiagnostic: () => {} },
)!;

/** By path: each source is compiled once for all processes. */
const bodies = new Map<string, ModuleBody>();

function bodyOf(path: string): ModuleBody {
	const known = bodies.get(path);
	if (known) return known;
	const source = readFileSync(path, 'utf8');
	const { outputText } = ts.transpileModule(source, { fileName: path, compilerOptions: options });
	// eslint-disable-next-line @typescript-eslint/no-implied-eval -- a module of the package, as Node.js would wrap it
	const body = new Function(
		'exports',
		'require',
		...globalNames,
		`${outputText}\n//# sourceURL=${path}`,
	) as ModuleBody;
	bodies.set(path, body);
	return body;
}

const timedOut = new Error('The time is over');

export class N8nProcess implements Place {
	isDead = false;

	suspendedUntil = 0;

	/** What happens to it, by how many steps it has made. */
	readonly troubles = new Map<number, () => void>();

	steps = 0;

	private died!: () => void;

	/** Resolves when it has died. */
	readonly death = new Promise<void>((resolve) => (this.died = resolve));

	/** Milliseconds by which its clock on the wall is ahead. */
	clockAhead = 0;

	/** Milliseconds for which its other clock has stood still. */
	private slept = 0;

	private readonly modules = new Map<string, object>();

	private readonly globals: Globals;

	/** n8n-workflow, whose sleep() takes the world's time, and node:crypto, whose IDs are the world's chance. */
	private readonly replaced: Record<string, object>;

	/** @param name in the world's story */
	constructor(
		readonly world: World,
		readonly name: string,
	) {
		// A process has been running for some time, and another time than another process has.
		const begun = world.between(1e4, 1e6) - world.now;
		const now = () => begun + world.now - this.slept;
		const timeout = (milliseconds: number): AbortSignal => {
			const timer = new AbortController();
			world.after(milliseconds, () => timer.abort(timedOut), this);
			return timer.signal;
		};
		const wallClock = () => world.wallClock + this.clockAhead;
		class WorldDate extends Date {
			constructor(...given: ConstructorParameters<typeof Date>) {
				super(...(((given as unknown[]).length > 0 ? given : [wallClock()]) as [number]));
			}

			static override now = wallClock;
		}
		this.globals = {
			performance: { now } as Globals['performance'],
			AbortSignal: { timeout, any: AbortSignal.any.bind(AbortSignal) } as typeof AbortSignal,
			Math: Object.create(Math, { random: { value: () => world.random() } }) as Math,
			Date: WorldDate as DateConstructor,
		};
		const nodeCrypto = requireHere('node:crypto') as object;
		const n8nWorkflow = requireHere('n8n-workflow') as object;
		let ids = 0;
		const ownID = world.random();
		this.replaced = {
			'node:crypto': Object.create(nodeCrypto, {
				randomUUID: { value: () => `${ownID} ${ids++}` },
			}),
			'n8n-workflow': Object.create(n8nWorkflow, {
				sleep: { value: (milliseconds: number) => world.pause(milliseconds, this) },
			}),
		} as Record<string, object>;
	}

	onStep(): void {
		this.troubles.get(this.steps++)?.();
	}

	/** As a process that is killed: nothing that it waits for ever comes. */
	die(): void {
		this.world.tell(`${this.name} dies`);
		this.isDead = true;
		this.died();
	}

	/** @param clockStops as that of a machine that sleeps; only its clock on the wall is right when it wakes */
	suspend(milliseconds: number, clockStops = false): void {
		const { world, name } = this;
		world.tell(`${name} ${clockStops ? 'sleeps' : 'is suspended'} for ${milliseconds} ms`);
		this.suspendedUntil = world.now + milliseconds;
		if (clockStops) this.slept += milliseconds;
	}

	/** @param path of a module of the package, from its root, such as `engine/run` */
	load<Module>(path: string): Module {
		return this.instanceOf(join(root, `${path}.ts`)) as Module;
	}

	private instanceOf(path: string): object {
		const known = this.modules.get(path);
		if (known) return known;
		const exports = {};
		this.modules.set(path, exports);
		const requireFrom = (name: string): unknown => {
			if (!name.startsWith('.')) return this.replaced[name] ?? (requireHere(name) as unknown);
			return this.instanceOf(`${join(dirname(path), name)}.ts`);
		};
		bodyOf(path)(exports, requireFrom, ...globalNames.map((name) => this.globals[name]));
		return exports;
	}
}
