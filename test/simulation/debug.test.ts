import { liveSendOnce } from './sendOnceWorld';
import { Execution } from './execution';
import { SimulatedService } from './service';
const many = process.env.MANY;
test('debug', async () => {
	const plan = JSON.parse(process.env.PLAN!);
	const lines: string[] = [];
	const ids = new Map<object, number>();
	const id = (o: object) => {
		if (!ids.has(o)) ids.set(o, ids.size + 1);
		return `E${ids.get(o)}`;
	};
	const run = Execution.prototype.run;
	Execution.prototype.run = async function (this: any) {
		const w = this.process.world;
		lines.push(
			`${Math.round(w.now)} ${id(this)} begins ${JSON.stringify({ ...this.options, cancel: undefined, retryOf: this.options.retryOf && id(this.options.retryOf) })}`,
		);
		await run.call(this);
		lines.push(
			`${Math.round(w.now)} ${id(this)} ends ${this.ended.error?.message ?? ''} ${JSON.stringify([...this.outcomes].map(([n, j]: any) => [n, j.error?.message ?? j.message ?? j, j.error?.outcome]).filter((l: any) => !many || l[2] === 'unknown')).slice(0, 1500)} ${this.hints}`,
		);
	};
	const request = SimulatedService.prototype.request;
	SimulatedService.prototype.request = async function (this: any, p: any, o: any, s: any, e: any) {
		const n = e && 'options' in e ? id(e) : 'sign-in';
		lines.push(
			`${Math.round(this.world.now)} ${n} request ${o.url.split('/').pop()} ${o.body?.name}`,
		);
		try {
			const a = await request.call(this, p, o, s, e);
			if (!many)
				lines.push(`${Math.round(this.world.now)} ${n} answered ${a.statusCode} ${o.body?.name}`);
			return a;
		} catch (error) {
			lines.push(`${Math.round(this.world.now)} ${n} failed ${error} ${o.body?.name}`);
			throw error;
		}
	} as any;
	await liveSendOnce(plan).catch((error) => lines.push(String(error)));
	console.log(lines.join('\n'));
});
