// How often the store is told. A call costs about the same for one item as for a hundred, and more the more keys
// are remembered; but what was noted too early, or not yet, is in doubt if the process dies. So the longer its calls
// take, the more is noted at once.

/** Milliseconds of sending for one of noting. */
const sendingPerNoting = 10;

/** Items noted at once, at most. */
export const maxSliceSize = 256;

/** Size of the first slice. */
export const firstSliceSize = 16;

/**
 * @param sending milliseconds that sending a slice has taken
 * @param noting milliseconds that noting it has taken
 * @returns the size of the next
 */
export function nextSliceSize(size: number, sending: number, noting: number): number {
	if (sending < sendingPerNoting * noting) return Math.min(2 * size, maxSliceSize);
	return sending > 4 * sendingPerNoting * noting ? Math.max(1, Math.floor(size / 2)) : size;
}

/**
 * @param since milliseconds since what is over was noted last
 * @param noting milliseconds that it has taken
 */
export const isRemovalDue = (since: number, noting: number): boolean =>
	since > sendingPerNoting * noting;
