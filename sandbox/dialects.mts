// What the service's description leaves open, and the ways in which a service may have decided it. A fault strikes by
// chance; a dialect always holds, and holds together with all others.
import { seededRandom } from './random.mts';

/**
 * Where a dialect has its effect: in the gateway before the service, when the token is checked, when the parameters of
 * a list are read, in the data of a reply, or in the text that the data becomes.
 */
export type DialectStep = 'gateway' | 'access' | 'parameters' | 'data' | 'text';

interface Dialect {
	/** In the words of a person who wants to know it of a service. */
	question: string;
	step: DialectStep;
	/** What each way means. The first is the sandbox's own. */
	ways: Readonly<Record<string, string>>;
}

export const dialectTable = {
	gateway: {
		question: 'Who answers when the subscription key is wrong?',
		step: 'gateway',
		ways: {
			plain: 'The service itself, with its own form of errors',
			azure: 'Azure API Management before the service, with a form of its own',
		},
	},
	rate: {
		question: 'How many requests are allowed in a short time?',
		step: 'gateway',
		ways: {
			unlimited: 'Any number',
			of20In10s: '20 in 10 seconds; more are answered with 429',
			of5In1s: '5 in a second; more are answered with 429',
		},
	},
	quota: {
		question: 'How many requests are allowed in a long time?',
		step: 'gateway',
		ways: {
			unlimited: 'Any number',
			of100In1h: '100 in an hour; more are answered with 403',
		},
	},
	authorizationHeader: {
		question: 'How must the access token be written in the Authorization header?',
		step: 'access',
		ways: {
			either: 'Alone, or after "Bearer"',
			token: 'Alone',
			bearer: 'After "Bearer"',
		},
	},
	filter: {
		question: 'How is a filter written?',
		step: 'parameters',
		ways: {
			doubleQuotes: 'city eq "Springfield" and zip ge 60000',
			singleQuotes: "city eq 'Springfield' and zip ge 60000",
			colons: 'city:eq:Springfield;zip:ge:60000',
		},
	},
	filterNumbers: {
		question: 'How is a number compared that a filter has in quotes?',
		step: 'parameters',
		ways: {
			asNumber: 'As the number that it is',
			asText: 'As text, letter by letter',
			refused: 'Not at all: a number has no quotes, and others are refused',
		},
	},
	changesSince: {
		question: 'Which dates does changesSince take?',
		step: 'parameters',
		ways: {
			iso: 'ISO 8601, such as 2026-03-01T07:00:00Z',
			date: 'A day, such as 2026-03-01',
			sql: 'Date and time as SQL has them, such as 2026-03-01 07:00:00',
			us: 'Month first, such as 03/01/2026',
			dayFirst: 'Day first, such as 01/03/2026',
			unix: 'Seconds since 1970, such as 1772348400',
		},
	},
	showArchived: {
		question: 'With which value does showArchived ask for archived rows?',
		step: 'parameters',
		ways: {
			trueFalse: 'true',
			oneZero: '1',
			yesNo: 'yes',
			any: 'Any, false too',
		},
	},
	otherFields: {
		question: 'What becomes of a field or parameter that the description does not have?',
		step: 'parameters',
		ways: {
			refused: 'It is refused',
			taken: 'It is taken, and the log names it',
		},
	},
	largestPage: {
		question: 'How many rows does a page have at most?',
		step: 'parameters',
		ways: { rows200: '200', rows50: '50', rows25: '25' },
	},
	largerPages: {
		question: 'What becomes of a request for a larger page?',
		step: 'parameters',
		ways: {
			cut: 'It gets as many rows as a page has at most',
			refused: 'It is refused',
		},
	},
	offset: {
		question: 'From where does offset count?',
		step: 'parameters',
		ways: {
			fromZero: 'It is the number of rows to skip',
			fromOne: 'It is the place of the first row, counted from 1',
			ignored: 'It is ignored: every page is the first',
		},
	},
	etag: {
		question: 'Is a record left out that still has the version of the ETag?',
		step: 'parameters',
		ways: {
			honoured: 'Yes, with status 304',
			ignored: 'No',
		},
	},
	totalRows: {
		question: 'What does totalRows count?',
		step: 'data',
		ways: {
			all: 'All rows of the list',
			page: 'The rows of the page',
			text: 'All rows of the list, as text',
			missing: 'Nothing: it is missing',
		},
	},
	noRows: {
		question: 'What comes when there are no rows?',
		step: 'data',
		ways: {
			list: 'An empty list',
			null: 'null in place of the list',
			object: 'An empty object in place of the list',
			missing: 'No list',
			noContent: 'Status 204',
		},
	},
	rows: {
		question: 'How does a list come?',
		step: 'data',
		ways: {
			list: 'As a list',
			byIndex: 'As an object with a number for each entry, as PHP writes a list with gaps',
		},
	},
	dates: {
		question: 'How are dates written?',
		step: 'data',
		ways: {
			iso: '2026-03-01T07:00:00.000Z',
			sql: '2026-03-01 07:00:00',
			us: '03/01/2026 07:00:00',
			unix: '1772348400',
		},
	},
	types: {
		question: 'Which types do values have?',
		step: 'data',
		ways: {
			described: 'Those of the description',
			text: 'Numbers come as text',
			numbers: 'Texts of digits come as numbers',
		},
	},
	redirect: {
		question: 'How does the redirect address come that a sign-in asks for?',
		step: 'data',
		ways: {
			plainText: 'As plain text',
			json: 'As a text in JSON',
		},
	},
	success: {
		question: 'Which status has a write that succeeded?',
		step: 'data',
		ways: {
			described: 'That of the description',
			ok: '200',
			created: '201',
			noContent: '204',
		},
	},
	nothing: {
		question: 'What comes where nothing is due?',
		step: 'data',
		ways: {
			empty: 'Nothing',
			object: 'An empty object',
			list: 'An empty list, as PHP writes an empty object',
			true: 'true',
			null: 'null',
		},
	},
	errors: {
		question: 'How are errors written?',
		step: 'data',
		ways: {
			described: 'As in the description',
			message: 'As one message',
			list: 'As a list of texts',
			problem: 'As RFC 9457 has them',
			plainText: 'As plain text',
			status200: 'As in the description, but with status 200, except 401',
		},
	},
	names: {
		question: 'How are the names of fields written?',
		step: 'data',
		ways: {
			described: 'As in the description',
			lower: 'In small letters',
			capitalized: 'With a capital letter first',
		},
	},
	wrapper: {
		question: 'What stands around the data?',
		step: 'data',
		ways: {
			none: 'Nothing',
			data: 'An object with the field data',
			result: 'An object with the field result',
		},
	},
	escapes: {
		question: 'How are letters beyond ASCII written?',
		step: 'text',
		ways: {
			none: 'As they are',
			php: 'Escaped, as PHP does it by itself, with a backslash before each slash',
		},
	},
	notice: {
		question: 'What comes before the JSON?',
		step: 'text',
		ways: {
			none: 'Nothing',
			php: 'A notice of PHP, as HTML',
		},
	},
	charset: {
		question: 'Which character encoding do replies have?',
		step: 'text',
		ways: {
			utf8: 'UTF-8',
			byteOrderMark: 'UTF-8 with a byte order mark',
			latin1Declared: 'ISO 8859-1, as the header Content-Type says',
			latin1Undeclared: 'ISO 8859-1, without saying so',
		},
	},
} as const satisfies Record<string, Dialect>;

export type DialectName = keyof typeof dialectTable;

/** The way in which a sandbox decides each question. */
export type Dialects = {
	[Name in DialectName]: Extract<keyof (typeof dialectTable)[Name]['ways'], string>;
};

export const dialectNames = Object.keys(dialectTable) as DialectName[];

export const waysOf = (name: DialectName): readonly string[] =>
	Object.keys(dialectTable[name].ways);

export const defaultDialects = Object.fromEntries(
	dialectNames.map((name) => [name, waysOf(name)[0]]),
) as unknown as Dialects;

/** @throws TypeError that names all that there is */
function requireKnown(given: string, known: readonly string[], isUnknown: string): void {
	if (known.includes(given)) return;
	throw new TypeError(`${isUnknown} "${given}". There are: ${known.join(', ')}`);
}

/**
 * Reads ways that come from outside.
 * @param given ways by the names of dialects
 * @throws TypeError for an unknown name or way; its message is meant for people
 */
export function readDialects(given: unknown): Partial<Dialects> {
	if (typeof given !== 'object' || given === null)
		throw new TypeError('Dialects are an object, such as {"filter": "colons"}');
	for (const [name, way] of Object.entries(given)) {
		requireKnown(name, dialectNames, 'There is no dialect');
		requireKnown(String(way), waysOf(name as DialectName), `The dialect "${name}" has no way`);
	}
	return given;
}

/**
 * A dialect as a flag gives it: `<name>=<way>`
 * @throws TypeError as readDialects()
 */
export function readDialectFlag(flag: string): Partial<Dialects> {
	const [name = '', way = ''] = flag.split('=');
	return readDialects({ [name]: way });
}

/**
 * A mixture of ways in which a service might speak.
 * @param seed the same seed gives the same mixture
 * @param share of the dialects that differ from the sandbox's own, from 0 to 1
 * @param names of the dialects that may differ; all if not given
 */
export function randomDialects(
	seed: number,
	share = 0.3,
	names: readonly DialectName[] = dialectNames,
): Dialects {
	const random = seededRandom(seed);
	const chosen = names.map((name) => {
		const [own, ...others] = waysOf(name);
		const other = others[Math.floor(random() * others.length)];
		return [name, random() < share ? other : own];
	});
	return { ...defaultDialects, ...(Object.fromEntries(chosen) as Partial<Dialects>) };
}
