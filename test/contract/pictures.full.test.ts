// Every picture that a page shows is there. The everyday tests do without: taking one needs a browser and the full n8n.
import { readPages } from '../../scripts/docs/pages.mts';
import { missingPictures } from '../../scripts/docs/links.mts';

test('every picture that a page shows is there', () => {
	const pages = readPages();
	expect(missingPictures(pages)).toEqual([]);
	const text = '![A form](pictures/nodes/nowhere.png)';
	expect(missingPictures([...pages, { path: 'docs/page.md', text }])).toEqual([
		'docs/page.md: there is no picture pictures/nodes/nowhere.png: npm run pictures takes it',
	]);
});
