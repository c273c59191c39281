// How long answers took: mean and spread of their logarithms, so that the few that take for ever count little.
// Pure.

export class DelayStatistics {
	private constructor(
		readonly count: number,
		/** Of the natural logarithms of milliseconds. */
		private readonly mean: number,
		private readonly variance: number,
	) {}

	/** @param milliseconds of one answer or more */
	static of(milliseconds: readonly number[]): DelayStatistics {
		const logs = milliseconds.map((delay) => Math.log(Math.max(1, delay)));
		const mean = logs.reduce((sum, log) => sum + log, 0) / logs.length;
		const variance = logs.reduce((sum, log) => sum + (log - mean) ** 2, 0) / logs.length;
		return new DelayStatistics(logs.length, mean, variance);
	}

	/** Both together. */
	mergedWith({ count, mean, variance }: DelayStatistics): DelayStatistics {
		const all = this.count + count;
		const share = count / all;
		const distance = mean - this.mean;
		return new DelayStatistics(
			all,
			this.mean + distance * share,
			this.variance * (1 - share) + variance * share + distance ** 2 * share * (1 - share),
		);
	}

	/**
	 * How many times as long as the others these took.
	 * @param errors standard errors to add, or to take off
	 */
	comparedWith(others: DelayStatistics, errors: number): number {
		const error = Math.sqrt(this.variance / this.count + others.variance / others.count);
		return Math.exp(this.mean - others.mean + errors * error);
	}
}
