// All values of one item, and all that is wrong with them.
import { dateTime, id, text } from '../../../engine/area';
import { operation, readForm } from './readForm';

test('all problems of an item are found at once', () => {
	const { problems } = readForm(
		operation([dateTime('fromDate'), dateTime('toDate')], { ids: [id('shiftID')], etag: true }),
		{
			shiftID: 0,
			fields: { fromDate: 'x', toDate: 'y' },
			options: { etag: 'a\nb', parallelRequests: 0 },
		},
	);
	expect(problems.map(({ label }) => label)).toEqual([
		'Shift ID',
		'From Date',
		'To Date',
		'Parallel Requests',
		'ETag',
	]);
});

test('a required ID that an expression leaves empty is a problem', () => {
	const { problems } = readForm(operation([text('name')], { ids: [id('shiftID')] }), {
		fields: { name: 'A' },
	});
	expect(problems).toEqual([{ label: 'Shift ID', text: 'is required and not filled in' }]);
});
