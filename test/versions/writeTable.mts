// Writes the README's table of versions from the results of the last `npm run test:versions`.
import { withPart, writePage } from '../../scripts/docs/pageFiles.mts';
import { readResults } from './results.mts';
import { versionsTable } from './versionsTable.mts';

const by = 'node test/versions/writeTable.mts';
await writePage('README.md', withPart('README.md', 'versions', versionsTable(readResults()), by));
