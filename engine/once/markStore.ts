// n8n's store of what a node has processed, the one behind its Remove Duplicates node: marks, kept as hashes in
// one row of n8n's database for each node of a workflow. The row is read and written whole, without a lock.
import type { ICheckProcessedOptions, IExecuteFunctions } from 'n8n-workflow';

/** The last call for each node: in this process they go one after another, so that none overwrites another's. */
const lastCallByNode = new Map<string, Promise<unknown>>();

async function afterEarlierCalls<Value>(node: string, call: () => Promise<Value>): Promise<Value> {
	const turn = (lastCallByNode.get(node) ?? Promise.resolve()).then(call);
	const settled = turn.catch(() => {});
	lastCallByNode.set(node, settled);
	try {
		return await turn;
	} finally {
		if (lastCallByNode.get(node) === settled) lastCallByNode.delete(node);
	}
}

export class MarkStore {
	private readonly nodeKey: string;

	private readonly options: ICheckProcessedOptions;

	/**
	 * @param most marks that are kept: of more, n8n forgets the oldest; without it none is forgotten
	 * @throws Error when n8n has nothing to tell this workflow from others by
	 */
	constructor(
		private readonly ctx: IExecuteFunctions,
		most?: number,
	) {
		const { id } = ctx.getWorkflow();
		if (!id) throw new Error('The workflow was never saved');
		this.nodeKey = `${id} ${ctx.getNode().id}`;
		this.options = { mode: 'entries', ...(most !== undefined && { maxEntries: most }) };
	}

	/**
	 * Records marks.
	 * @returns those that were not there before
	 * @throws Error when n8n does not say of each whether it was
	 */
	async record(marks: readonly string[]): Promise<ReadonlySet<string>> {
		const { helpers } = this.ctx;
		const call = () => helpers.checkProcessedAndRecord([...marks], 'node', this.options);
		// Of two processes that make a node's first row, n8n lets one fail. What the second call finds recorded counts
		// as recorded by another, which is the safe side.
		const answer = await afterEarlierCalls(this.nodeKey, () => call().catch(call));
		const told = new Set([...answer.new, ...answer.processed]);
		if (!marks.every((mark) => told.has(mark))) {
			throw new Error('n8n does not say whether these keys were there before');
		}
		return new Set(answer.new.map(String));
	}

	/** Takes marks back. */
	async remove(marks: readonly string[]): Promise<void> {
		const { helpers } = this.ctx;
		await afterEarlierCalls(this.nodeKey, () =>
			helpers.removeProcessed([...marks], 'node', this.options),
		);
	}

	/** @returns how many marks there are */
	async count(): Promise<number> {
		const { helpers } = this.ctx;
		return await afterEarlierCalls(this.nodeKey, () =>
			helpers.getProcessedDataCount('node', this.options),
		);
	}
}
