// What is known of a key, also when it was remembered with the service's address in another spelling.
import { KeyScope } from '../../../engine/once/keyScope';

const request = 'POST /agencyshiftschedules/shiftschedules';
const written = 'HTTPS://Records.Example.org:443';
const address = 'https://records.example.org';

/** The marks of a key that was begun, and done. */
const begun = (baseUrl: string) => `begun\n${baseUrl}\n${request}\nkey`;
const open = (baseUrl: string) => `open\n${baseUrl}\n${request}\nkey`;

/** @param remembered the marks that were in the store before */
function read(baseUrl: string, ...remembered: string[]) {
	const scope = new KeyScope(baseUrl, request);
	const added = scope.marksOfAll(['key']).filter((mark) => !remembered.includes(mark));
	return scope.read('key', new Set(added));
}

test.each([
	['new', []],
	['sent', [begun(address)]],
	['inDoubt', [begun(address), open(address)]],
	// One of the two was forgotten.
	['inDoubt', [open(address)]],
])('%s, of the marks %j', (status, remembered) => {
	expect(read(address, ...remembered)).toMatchObject({ status, unneeded: [] });
});

test.each([
	['new', []],
	['sent', [begun(written)]],
	['inDoubt', [begun(written), open(written)]],
	['sent', [begun(address)]],
	['inDoubt', [begun(written), begun(address), open(address)]],
])('in another spelling: %s, of the marks %j', (status, remembered) => {
	const known = read(written, ...remembered);
	expect(known.status).toBe(status);
	expect(known.begun).toBe(begun(address));
	expect(known.open).toEqual([open(address), open(written)]);
	// What was there before stays; what was only looked for does not.
	const lookedFor = [begun(written), open(written)];
	expect(known.unneeded).toEqual(lookedFor.filter((mark) => !remembered.includes(mark)));
});

test('one spelling has two marks a key', () => {
	expect(new KeyScope(address, request).marksOfAll(['key'])).toEqual([
		begun(address),
		open(address),
	]);
});
