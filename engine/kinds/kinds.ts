// What each kind of operation does. form/ knows which fields it has.
import type { Operation } from '../area';
import type { Settings } from '../form/settings';
import { bulk } from './bulk';
import type { Kind } from './job';
import { list } from './list/readList';
import { empty, single, upload } from './single';

const kinds = { single, empty, upload, list, bulk };

export const kindOf = ({ kind }: Operation): Kind => kinds[kind];

/** The maximum number of a run's parallel requests. */
export const maxParallelOf = (operation: Operation, { parallelRequests }: Settings): number =>
	Math.min(parallelRequests, kindOf(operation).maxParallel);
