// Each option of a node that sends rows with keys, as its form has them, is wrong in one row of a run: no row is sent
// without its key or twice, the code does not fail, and no input item is passed on as a result.
import type { IDataObject, INodeProperties, INodePropertyOptions, INodeType } from 'n8n-workflow';

import { retryDelays } from '../../../engine/n8nDatabase';
import { AgencyShiftSchedules } from '../../../nodes/AgencyShiftSchedules/AgencyShiftSchedules.node';
import { aDay } from '../../harness/aDay.mts';
import { useStoreOfKeys } from '../../harness/keyRows.cts';
import { runNode } from '../../harness/run.cts';
import { startLastingService, type FakeService } from '../../harness/server.cts';
import { credentialsFor } from '../../harness/useSandbox.cts';

useStoreOfKeys();
retryDelays.splice(0, Infinity, 1, 1);

/** The names that the service got. */
let names: string[] = [];
let service: FakeService;
beforeAll(async () => {
	service = await startLastingService((_, response, body) => {
		names.push((JSON.parse(body) as { name: string }).name);
		response.writeHead(201).end('{"shiftScheduleID":7}');
	});
});
afterAll(() => service.close());

const node: INodeType = new AgencyShiftSchedules();

/** The options of the node, as its form has them. */
const all = node.description.properties.find(({ name }) => name === 'options')!
	.options as INodeProperties[];

/** Two values that the form offers. */
function valuesOf({ name, type, default: initial, options = [] }: INodeProperties): unknown[] {
	if (name === 'sendOnceKey') return ['a key', 'another key'];
	if (type === 'boolean') return [true, false];
	if (type === 'number') return [Number(initial), Number(initial) + 1];
	const choices = (options as INodePropertyOptions[]).map(({ value }) => value);
	return choices.length > 0 ? [choices.at(-1), choices[0]] : ['{"a":1}', '{"a":2}'];
}

/** What is wrong with the value in one row, and what gives it: its columns, and the option's expression. */
const wrongs: Record<string, [column: IDataObject, expression: string]> = {
	missing: [{}, '={{ $json.value }}'],
	empty: [{ value: '' }, '={{ $json.value }}'],
	blank: [{ value: '  ' }, '={{ $json.value }}'],
	throwing: [{ fails: true }, "={{ $json.fails ? $('Nowhere').item.json.id : $json.value }}"],
	other: [{ value: 'other' }, '={{ $json.value }}'],
	'missing in one expression for all options': [{}, ''],
};

const places = [
	['first', 0, 3],
	['middle', 1, 3],
	['last', 2, 3],
	['only', 0, 1],
] as const;

const isResult = (json: IDataObject): boolean =>
	['error', 'shiftScheduleID', 'alreadySent', 'wouldSend'].some((name) => name in json);

const ways = ['Stop', 'Continue', 'Check Only'] as const;

const cells = Object.keys(wrongs).flatMap((wrong, at) =>
	places.flatMap((place, row) =>
		ways.map((way, column) => ({ wrong, place, way, isFew: (at + row + column) % 3 === 0 })),
	),
);
type Cell = (typeof cells)[number];

async function tryOption(option: INodeProperties, tried: readonly Cell[]): Promise<void> {
	const [value, otherValue] = valuesOf(option);
	const isKey = option.name === 'sendOnceKey';
	let cell = 0;
	const tryCell = async ({ wrong, place: [place, odd, count], way }: Cell) => {
		const [column, expression] = wrongs[wrong]!;
		const items = Array.from({ length: count }, (_, row) => ({
			id: row + 1,
			name: `row ${row}`,
			...(row === odd ? column : { value: isKey ? `key ${row}` : value }),
			...(row === odd && wrong === 'other' && { value: otherValue }),
		})) as IDataObject[];
		const { [option.name]: _given, ...others }: IDataObject = {
			maxTries: 1,
			sendOnceKey: '={{ $json.id }}',
			...(way === 'Check Only' && { checkOnly: true }),
		};
		const literal = JSON.stringify(others).replace('"={{ $json.id }}"', '$json.id');
		const options = expression
			? { ...others, [option.name]: expression }
			: `={{ ({ ...${literal}, ...('value' in $json && { ${option.name}: $json.value }) }) }}`;
		const nodeSettings = {
			id: `${cell++}`,
			onError: way === 'Stop' ? ('stopWorkflow' as const) : ('continueRegularOutput' as const),
		};
		names = [];
		for (const night of option.name.startsWith('sendOnce') ? [1, 2] : [1]) {
			const { json, error } = await runNode({
				node,
				parameters: { fields: { ...aDay, name: '={{ $json.name }}' }, options } as never,
				items,
				credentials: credentialsFor(service.url),
				nodeSettings,
			});
			const isStopped = way === 'Stop' && error !== undefined;
			const mayNotBeSent = (name: string) =>
				(isKey && wrong !== 'other' && name === `row ${odd}`) ||
				(way === 'Check Only' && option.name !== 'checkOnly');
			const seen = {
				strange: /TypeError|Cannot read|not a function|not iterable/.exec(`${error?.message}`),
				passedOn: json.filter((one) => !isResult(one)),
				mustNotBeSent: names.filter(mayNotBeSent),
				twice: names.filter((name, at) => names.indexOf(name) < at),
				results: json.length,
			};
			const none = { strange: null, passedOn: [], mustNotBeSent: [], twice: [] };
			const right = { ...none, results: isStopped ? 0 : count };
			const about = { wrong, place, way, night, error: error?.message };
			expect({ ...about, ...seen }).toEqual({ ...about, ...right });
		}
	};
	for (const each of tried) await tryCell(each);
}

/** @param isWhole whether to try all, or a third in which each two of wrong value, place and way come together */
export function testEveryOption(isWhole: boolean): void {
	const tried = cells.filter(({ isFew }) => isFew || isWhole);
	test.each(all.map((option) => [option.displayName, option] as const))('%s', (_, option) =>
		tryOption(option, tried),
	);
}
