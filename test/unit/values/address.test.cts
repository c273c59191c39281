// The path of Agency Records Request: whatever is accepted leads below the Base URL, and is sent as it was given.
import fc from 'fast-check';

import { address } from '../../../engine/area';
import { readScalar } from '../../../engine/values/scalars';

const field = address('path');
const isAccepted = (path: string) => 'value' in readScalar(path, field, { timeZone: 'UTC' });

const pieces = [...'/.\\@:?# \t\0aé', '%2e', '%2F', 'h.com'];

test('no accepted path leads elsewhere, by the URL parser that n8n has', () => {
	const piece = fc.oneof(fc.constantFrom(...pieces), fc.string({ unit: 'grapheme', maxLength: 2 }));
	const path = fc.array(piece, { maxLength: 8 }).map((parts) => `/${parts.join('')}`);
	let accepted = 0;
	fc.assert(
		fc.property(path, (given) => {
			fc.pre(isAccepted(given));
			accepted++;
			const { origin, pathname, username, hash, href } = new URL(`https://a.example/base${given}`);
			expect([origin, username, hash]).toEqual(['https://a.example', '', '']);
			const [segments] = given.split('?');
			expect(pathname.split('/')).toHaveLength(`/base${segments}`.split('/').length);
			expect(href.startsWith('https://a.example/base/')).toBe(true);
		}),
		{ numRuns: 3000, maxSkipsPerRun: 1000 },
	);
	expect(accepted).toBeGreaterThan(2000);
});

test.each([
	'/agencyshifts/shifts/101',
	'/agencyshifts/shifts?name=A%20B&year=2026',
	'/v1/a.b/c:d@e/%C3%A9/é',
	'/a?path=//x/../y/',
])('%s is accepted', (path) => expect(isAccepted(path)).toBe(true));

test.each(['/auth/Authorize.php', '/authpass/Token.php', '/AuthToken/Token.php?x=1'])(
	'%s, which gives a token, is refused',
	(path) => expect(isAccepted(path)).toBe(false),
);
