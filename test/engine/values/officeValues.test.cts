// Values as offices write them, which would make a wrong record although they are formally valid.
import type { IDataObject, INodeParameters, INodeType } from 'n8n-workflow';

import { AgencyApparatusMaintenance } from '../../../nodes/AgencyApparatusMaintenance/AgencyApparatusMaintenance.node';
import { AgencyClasses } from '../../../nodes/AgencyClasses/AgencyClasses.node';
import { AgencyDemographics } from '../../../nodes/AgencyDemographics/AgencyDemographics.node';
import { AgencyEvents } from '../../../nodes/AgencyEvents/AgencyEvents.node';
import { AgencyExposures } from '../../../nodes/AgencyExposures/AgencyExposures.node';
import { AgencyLibrary } from '../../../nodes/AgencyLibrary/AgencyLibrary.node';
import { AgencyMappings } from '../../../nodes/AgencyMappings/AgencyMappings.node';
import { AgencyNotifications } from '../../../nodes/AgencyNotifications/AgencyNotifications.node';
import { AgencyOccupancies } from '../../../nodes/AgencyOccupancies/AgencyOccupancies.node';
import { AgencyShiftSchedules } from '../../../nodes/AgencyShiftSchedules/AgencyShiftSchedules.node';
import { useDefaultExpressions, useProductionExpressions } from '../../../n8n-in-process/n8n.mts';
import { aDay } from '../../harness/aDay.mts';
import { useSandbox } from '../../harness/useSandbox.cts';

const sandbox = useSandbox();

const send = (node: INodeType, parameters: INodeParameters, item: IDataObject = {}) =>
	sandbox.run({ node, parameters, items: [item] });
const sent = () => sandbox.requests().map(({ body }) => body);

const maintenance = (options: INodeParameters, completed: string | number = 46329) =>
	send(
		new AgencyApparatusMaintenance(),
		{
			paths: { entries: [{ path: '/apparatus/101/maintenance' }] },
			value: { completedDate: '={{ $json.Completed }}' },
			options,
		},
		{ Completed: completed },
	);

test("an Excel date in a text field is refused, but read with 'Dates in Rows'", async () => {
	const { error } = await maintenance({});
	expect([error?.message, error?.description]).toEqual([
		"'Values to Set › Completed Date' is 46329, but must be a date and time, such as 2026-03-01T07:00:00 or 2026-03-01T07:00:00-05:00",
		expect.stringContaining("Set 'Options › Dates in Rows' to 'Excel's Numbers' (excel)."),
	]);
	expect(sent()).toEqual([]);
	await maintenance({ datesInRows: 'excel' });
	expect(sent()).toMatchObject([[{ value: { completedDate: '2026-11-03' } }]]);
});

test("'Dates in Rows' lets an empty string clear a text date", async () => {
	const patch = { op: 'replace', paths: [{ path: '/apparatus/101/maintenance' }] };
	await send(
		new AgencyApparatusMaintenance(),
		{ specifyFields: 'inputItem', options: { datesInRows: 'excel' } },
		{ ...patch, value: { completedDate: '' } },
	);
	expect(sent()).toMatchObject([[{ value: { completedDate: '' } }]]);
});

test('students with the same code are refused unless their categories differ', async () => {
	const update = (...items: IDataObject[]) =>
		sandbox.run({ node: new AgencyClasses(), parameters: { specifyFields: 'inputItem' }, items });
	const { error } = await update(
		{ agencyCodeCategoryID: 12, code: 'FF1-01', description: 'Smith, John A.' },
		{ agencyCodeCategoryID: 12, code: 'ff1-01 ', description: 'Smith, Joan' },
	);
	expect(error?.message).toMatch(
		/^Nothing .*'Agency Code Category ID, Code': "12, FF1-01" \[row 1 .*, but must be given once: the service names no student, /,
	);
	expect(sent()).toEqual([]);
	await update(...[12, 13].map((id) => ({ agencyCodeCategoryID: id, code: 'FF1-01' })));
	expect(sent()).toHaveLength(2);
});

test.each<[string, INodeType, INodeParameters]>([
	['year', new AgencyDemographics(), { dAgencyID: 5, json: '{"dAgency.05":{},"dAgency.06":[]}' }],
	['notification', new AgencyNotifications(), { json: '{"notificationModel": {}}' }],
])('a %s with only empty objects and lists is refused', async (_, node, parameters) => {
	const { error } = await send(node, { specifyFields: 'json', ...parameters });
	expect(error?.message).toContain('No field has a value');
	expect(sent()).toEqual([]);
});

const named: Array<[string, INodeType, string, string, IDataObject]> = [
	['Incident Name', new AgencyExposures(), 'IncidentName', 'exposureID', { District: 'North' }],
	['Name', new AgencyShiftSchedules(), 'name', '', aDay],
	['Category Title', new AgencyLibrary(), 'categoryTitle', '', { departmentLibraryTypeID: 2 }],
	['Code', new AgencyClasses(), 'code', '', { description: 'Ladder drill' }],
	['Category', new AgencyOccupancies(), 'category', '', {}],
];
test.each(named)('a record without its %s is refused', async (label, node, name, id, others) => {
	const ids: IDataObject = id ? { [id]: 5 } : {};
	const record = { ...others, [name]: '  ' };
	const ways: Array<[INodeParameters, IDataObject]> = [
		[{ ...ids, fields: { ...others, [name]: '={{ $json.T }}' } } as INodeParameters, { T: '' }],
		[{ specifyFields: 'inputItem' }, { ...ids, ...record }],
		[{ ...ids, specifyFields: 'json', json: JSON.stringify(record) } as INodeParameters, {}],
	];
	for (const [parameters, item] of ways) {
		const { error } = await send(node, parameters, item);
		expect(error?.message).toContain(`'${label}' is required but empty`);
	}
	expect(sent()).toEqual([]);
});

test('a reference whose expression gives nothing is refused, and an empty one is not sent', async () => {
	const create = (parentID: INodeParameters, item: IDataObject = {}) =>
		send(new AgencyLibrary(), { fields: { categoryTitle: 'Drills', ...parentID } }, item);
	const { error } = await create({ parentID: '={{ $json.Parent }}' });
	expect(error?.message).toBe(
		"'Parent ID' is empty: give the ID of the record that it means, or leave the field out",
	);
	expect(sent()).toEqual([]);
	await create({ parentID: '' });
	expect(sent()).toEqual([{ categoryTitle: 'Drills' }]);
});

const mapping = (entry: string, item: IDataObject) =>
	send(new AgencyMappings(), { clientID: 101, fields: { personnel: [entry] } }, item);

/** @param parameters besides the event's ID */
const sendEvent = (parameters: INodeParameters, item: IDataObject) =>
	send(new AgencyEvents(), { eventID: 101, ...parameters }, item);
/** A drill with a date from the row. */
const sendDrill = (eventDateTime: string, datesInRows: string, item: IDataObject) =>
	sendEvent({ fields: { eventName: 'Drill', eventDateTime }, options: { datesInRows } }, item);

test('an event with a date but no time is refused, and one without either is sent without a date', async () => {
	const event = (date: string, item: IDataObject) => sendDrill(date, 'monthFirst', item);
	const { error } = await event('={{ $json.Date }} {{ $json.Time }}', { Date: '1/1/27', Time: '' });
	expect(error?.message).toContain('must have a time after its space, such as 00:00');
	expect(sent()).toEqual([]);
	await event("={{ $json.Time && $json.Date + ' ' + $json.Time }}", { Date: '1/1/27', Time: '' });
	expect(sent()).toEqual([{ eventName: 'Drill' }]);
});

test('an event accepts Yes, and a date and time from two columns', async () => {
	const at = '={{ $json.Date }} {{ $json.Time }}';
	const { hints } = await sendEvent(
		{
			fields: { eventDateTime: at, locked: '={{ $json.Lock }}' },
			options: { datesInRows: 'excel' },
		},
		{ Date: 46305, Time: '6:30 PM', Lock: 'Yes' },
	);
	expect(sent()).toEqual([{ eventDateTime: '2026-10-10T18:30:00-04:00', locked: true }]);
	expect(hints.join()).toContain("Yes and No were read as true and false: 'Locked'.");
});

test('a fire with a thousands separator and a word instead of a code is refused', async () => {
	const fields = { IncidentName: 'A', FinalFireAcreage: '1,250.5', AgencyInvolvement: 'yes' };
	const { error } = await send(
		new AgencyExposures(),
		{ specifyFields: 'inputItem' },
		{ exposureID: 5, ...fields },
	);
	expect(error?.message).toBe(
		`'Agency Involvement' is "yes", but must be a whole number; it is a code: ask the service owner which there are. ` +
			`'Final Fire Acreage' is "1,250.5", but must be a whole number without thousands separators.`,
	);
	expect(sent()).toEqual([]);
});

const expression = '{{ $json["Name of Fire"] }}';
const typedAsText: Array<[string, INodeParameters]> = [
	['Incident Name', { fields: { IncidentName: expression } }],
	['Incident Name', { specifyFields: 'json', json: JSON.stringify({ IncidentName: expression }) }],
	['Incident Name', { fields: { IncidentName: '$json["Name of Fire"]' } }],
	['Incident Name', { fields: { IncidentName: ' $json.Fire' } }],
	['Send Once', { fields: { IncidentName: 'Ridge Road' }, options: { sendOnceKey: expression } }],
];
test.each(typedAsText)('an expression typed into %s as text is refused', async (label, given) => {
	const item = { 'Name of Fire': 'Ridge Road' };
	const { error } = await send(new AgencyExposures(), { exposureID: 101, ...given }, item);
	expect(error?.message).toContain(`'${label}' is `);
	expect(error?.message).toContain("but must be a value: set the field to 'Expression'");
	expect(sent()).toEqual([]);
});

test('an expression typed into a list as text is refused', async () => {
	const fields = { personnel: ['{{ $json.First }}', 'Jones'] };
	const { error } = await send(new AgencyMappings(), { clientID: 101, fields });
	expect(error?.message).toContain("must be a value: set the field to 'Expression'");
	expect(sent()).toEqual([]);
});

test('a cell that contains an expression as text is sent as is, from any source', async () => {
	const narrative = 'Dear {{ $name }}, welcome';
	const json = '={{ { narrative: $json.narrative } }}';
	await sendEvent({ fields: { narrative: '={{ $json.narrative }}' } }, { narrative });
	await send(new AgencyEvents(), { specifyFields: 'inputItem' }, { eventID: 101, narrative });
	await sendEvent({ specifyFields: 'json', json }, { narrative });
	expect(sent()).toEqual([{ narrative }, { narrative }, { narrative }]);
});

test("an expression in 'Specify Fields' is refused: the value must be chosen in the list", async () => {
	const { error } = await sendEvent({ specifyFields: '={{ $json.how }}' }, { how: 'json' });
	expect(error?.message).toContain(
		'\'Specify Fields\' is "{{ $json.how }}", but must be one of form (Using Fields Below), inputItem (Using the Input Item), json (Using JSON): choose it in the list, which takes no expression',
	);
});

test('a list keeps its entries, whatever they contain, from any source', async () => {
	const personnel = ['Smith; Jones, A.'];
	await send(new AgencyMappings(), { specifyFields: 'inputItem' }, { clientID: 101, personnel });
	const inJson = { specifyFields: 'json', json: { personnel } as never };
	await send(new AgencyMappings(), { clientID: 101, ...inJson });
	await mapping('={{ $json.personnel }}', { personnel });
	expect(sent()).toEqual([{ personnel }, { personnel }, { personnel }]);
});

test.each<[unknown, string[]]>([
	['Smith; Jones, A.\nMiller', ['Smith', 'Jones, A.', 'Miller']],
	['4,7, 12,', ['4', '7', '12']],
	['["A, B", "C"]', ['A, B', 'C']],
	['"North"', ['North']],
])('%j is refused with expressions for several entries and for one', async (cell, list) => {
	const { error } = await mapping('={{ $json.personnel }}', { personnel: cell } as IDataObject);
	const ofItem = await send(new AgencyMappings(), { specifyFields: 'inputItem' }, {
		clientID: 101,
		personnel: cell,
	} as IDataObject);
	expect(sent()).toEqual([]);
	const expressions = (of?: Error) => of?.message.match(/{{ \S.*? }}/g);
	expect(expressions(ofItem.error)).toEqual(expressions(error));
	const [several, one] = expressions(error)!;
	for (const expression of [several, one])
		await mapping(`=${expression}`, { personnel: cell } as IDataObject);
	expect(sent()).toEqual([{ personnel: list }, { personnel: [cell] }]);
});

describe("with the expression engine of n8n's server,", () => {
	beforeAll(useProductionExpressions);
	afterAll(useDefaultExpressions);

	test('the expression for several entries also reads a cell with a single number', async () => {
		await mapping("={{ $json.Stations.toString().split(',') }}", { Stations: 4 });
		expect(sent()).toEqual([{ personnel: ['4'] }]);
	});

	const spaced = ['={{ $json.crew }} ', '={{ $json.crew }}\n', '= {{ $json.crew }}'];
	test.each(spaced)('a space at the braces turns no list into one entry: %j', async (entry) => {
		const { error } = await mapping(entry, { crew: ['Lee', 'Kim'] });
		expect(error?.message).toMatch(/must be a list: .*, alone in the field/);
		expect(sent()).toEqual([]);
		await mapping(entry, { crew: ['Lee'] });
		expect(sent()).toEqual([{ personnel: ['Lee'] }]);
	});

	test('a space next to the braces does not turn an object into text', async () => {
		for (const parameters of [
			{ dAgencyID: 5, fields: { dAgency_05: '={{ $json.group }} ' } },
			{ dAgencyID: 5, specifyFields: 'json', json: '={{ $json }} ' },
		] as INodeParameters[]) {
			const { error } = await send(new AgencyDemographics(), parameters, { group: { a: 1 } });
			expect(error?.message).toContain('because of a space, a line break or text beside its {{ }}');
		}
		expect(sent()).toEqual([]);
	});

	test('the recipe for an empty cell with a time keeps midnight', async () => {
		const recipe = "={{ ($json.Time ?? '') !== '' ? $json.Date + ' ' + $json.Time : '' }}";
		for (const Time of [0, 0.75, '', undefined])
			await sendDrill(recipe, 'excel', { Date: 46357, Time });
		expect(sent().map((body) => (body as IDataObject).eventDateTime)).toEqual([
			'2026-12-01T00:00:00-05:00',
			'2026-12-01T18:00:00-05:00',
			undefined,
			undefined,
		]);
	});
});
