// The kinds of operations. No other module asks which there are.
import type { Operation } from '../area';
import type { Settings } from '../form/settings';
import { bulk } from './bulk';
import type { Kind } from './job';
import { list } from './list/readList';
import { empty, single, upload } from './single';

const kinds = { single, empty, upload, list, bulk };

export const kindOf = ({ kind }: Operation): Kind => kinds[kind];

/** @returns the most requests of a run in progress at once */
export const maxParallelOf = (operation: Operation, { parallelRequests }: Settings): number =>
	Math.min(parallelRequests, kindOf(operation).maxParallel);
