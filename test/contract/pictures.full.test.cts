// Every picture on a page exists. The everyday tests do not check this, because taking one needs a browser and the full
// n8n.
import { readPages } from '../../scripts/docs/pages.mts';
import { missingPictures } from '../../scripts/docs/checkPages.mts';

test('every picture on a page exists', () => {
	expect(missingPictures(readPages())).toEqual([]);
});
