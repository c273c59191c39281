// How n8n's form shows each type of a field.
import * as area from '../../../engine/area';
import { inputOf } from '../../../engine/form/form';

test.each<[Exclude<area.ScalarType, 'choice' | 'file'>, object]>([
	['text', { type: 'string', default: '' }],
	['uuid', { type: 'string', default: '' }],
	['dateTime', { type: 'dateTime', default: '' }],
	['integer', { type: 'number', default: '', typeOptions: { numberPrecision: 0 } }],
	['number', { type: 'number', default: '' }],
	['boolean', { type: 'boolean', default: false }],
	['textList', { type: 'string', default: [''], typeOptions: { multipleValues: true } }],
	['object', { type: 'string', default: '', typeOptions: { rows: 3 } }],
	['choices', { type: 'multiOptions', default: [] }],
])('%s', (type, expected) => {
	const input = inputOf((area[type] as typeof area.text)('stationNumber'));
	expect(input).toMatchObject({ displayName: 'Station Number', ...expected });
});
