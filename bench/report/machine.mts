// Describes the machine on which rates were measured.
import { cpus, totalmem } from 'node:os';

export const machineDescription = (): string => {
	const { length, 0: cpu } = cpus();
	const memory = Math.round(totalmem() / 2 ** 30);
	return `${length} × ${cpu!.model.trim()}, ${memory} GiB, Node.js ${process.versions.node}, ${process.platform}`;
};
