// Every picture that a page shows is there. The everyday tests do without: taking one needs a browser and the full n8n.
import { readPages } from '../../scripts/docs/pages.mts';
import { missingPictures } from '../../scripts/docs/checkPages.mts';

test('every picture that a page shows is there', () => {
	expect(missingPictures(readPages())).toEqual([]);
});
