// Messages quote responses in part: the quote never contains a part of a secret, wherever it is cut.
import { useVirtualTime } from '../../harness/virtualTime.cts';
import { useCannedService, type Given, type Name } from './cannedService.cts';

useVirtualTime({ skipsPauses: true });
const service = useCannedService();
/** As the service issues it. */
const token = 'fake-access-token-1';

const places: Array<[place: string, name: Name, respond: (text: string) => Given]> = [
	['a message', 'get', (text) => ({ status: 400, body: { errors: [text] } })],
	['a body of another shape', 'get', (text) => ({ status: 404, body: { text } })],
	['the report on a path', 'bulk', (text) => ({ body: [{ path: '/licenses/1', text }] })],
	['a record', 'create', (text) => ({ body: `Notice\n{"shiftScheduleID":7,"text":"${text}"}` })],
	['text next to it', 'create', (text) => ({ body: `${text}\n{"shiftScheduleID":7}` })],
	['a gateway', 'get', (text) => ({ status: 403, body: { statusCode: 403, message: text } })],
];

const lengths = Array.from({ length: 30 }, (_, n) => 390 + 4 * n);

test.each(places)('%s', async (_, name, respond) => {
	for (const length of lengths) {
		const text = (secret: string) => `${'x'.repeat(length)}, ${secret} ${'y'.repeat(9999)}`;
		const { json } = await service.run(name, respond(text(token)));
		const shown = JSON.stringify(json);
		expect(shown).toMatch(/xxx.* …/);
		expect(shown).not.toMatch(/, f|token-/);
		const encoded = Buffer.from(`Bearer ${token}`).toString('base64');
		const other = await service.run(name, respond(text(encoded)));
		expect(JSON.stringify(other.json)).toMatch(/not quoted/);
		expect(JSON.stringify(other.json)).not.toMatch(/, Q/);
	}
});
