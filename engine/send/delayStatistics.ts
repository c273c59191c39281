// How long answers took, as mean and variance of the logarithms of their delays: a few very long delays count
// little that way. Pure.

export class DelayStatistics {
	private constructor(
		readonly count: number,
		/** Mean of the natural logarithms of the delays in milliseconds. */
		private readonly mean: number,
		private readonly variance: number,
	) {}

	/** @param milliseconds one delay or more */
	static of(milliseconds: readonly number[]): DelayStatistics {
		const logs = milliseconds.map((delay) => Math.log(Math.max(1, delay)));
		const mean = logs.reduce((sum, log) => sum + log, 0) / logs.length;
		const variance = logs.reduce((sum, log) => sum + (log - mean) ** 2, 0) / logs.length;
		return new DelayStatistics(logs.length, mean, variance);
	}

	/** Milliseconds that an answer took: the geometric mean. */
	get typical(): number {
		return Math.exp(this.mean);
	}

	/** The same statistics, as if fewer delays had been measured: newer ones then count for more. */
	countingAtMost(count: number): DelayStatistics {
		return new DelayStatistics(Math.min(this.count, count), this.mean, this.variance);
	}

	/** The statistics of these delays and the others together. */
	mergedWith({ count, mean, variance }: DelayStatistics): DelayStatistics {
		const total = this.count + count;
		const share = count / total;
		const distance = mean - this.mean;
		return new DelayStatistics(
			total,
			this.mean + distance * share,
			this.variance * (1 - share) + variance * share + distance ** 2 * share * (1 - share),
		);
	}

	/**
	 * How many times as long as the others these delays are on average.
	 * @param standardErrors how many standard errors to add to the estimate; negative ones are taken off
	 */
	ratioTo(others: DelayStatistics, standardErrors: number): number {
		const standardError = Math.sqrt(this.variance / this.count + others.variance / others.count);
		return Math.exp(this.mean - others.mean + standardErrors * standardError);
	}

	/**
	 * Whether these delays differ from the others by more than chance explains. Few delays may look alike by chance,
	 * so the larger of the two variances counts for both.
	 */
	comparedWith(others: DelayStatistics): 'lower' | 'similar' | 'higher' {
		const variance = Math.max(this.variance, others.variance);
		const standardError = Math.sqrt(variance / this.count + variance / others.count);
		const distance = this.mean - others.mean;
		if (Math.abs(distance) <= 3 * standardError) return 'similar';
		return distance < 0 ? 'lower' : 'higher';
	}
}
