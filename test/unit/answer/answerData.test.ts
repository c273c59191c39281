import { isNotModified, recordIn, requireSuccess } from '../../../engine/answer/answerData';
import type { Answer } from '../../../engine/send/sendTypes';
import type { ItemOperation } from '../../../engine/area';
import { type Failure } from '../../../engine/failure';
import { shifts } from '../../../nodes/AgencyShifts/shifts.area';
import { shiftSchedules } from '../../../nodes/AgencyShiftSchedules/shiftSchedules.area';

const create = shiftSchedules.resources[0]!.operations[0] as ItemOperation;
const get = shifts.resources[0]!.operations[0] as ItemOperation;
const read = (given: Answer, operation: ItemOperation) => recordIn(given, operation, () => {});

const answer = (status: number, body: unknown, method: Answer['method'] = 'POST'): Answer => ({
	method,
	status,
	evidence: { maybeSent: true, status },
	text: typeof body === 'string' ? body : JSON.stringify(body),
});

function failureOf(work: () => unknown): Failure {
	try {
		work();
	} catch (error) {
		return error as Failure;
	}
	throw new Error('no failure');
}
const refusal = (status: number, body: unknown) =>
	failureOf(() => requireSuccess(answer(status, body), create));

test('validationErrors are read out field by field', () => {
	const { message, details } = refusal(400, {
		errors: {
			validationErrors: [
				{ field: 'fromDate', message: 'is required' },
				{ field: 'name', message: 'is too long' },
			],
		},
	});
	expect(message).toBe('The service refused the values: fromDate: is required; name: is too long');
	expect(details).toMatchObject({
		status: 400,
		serviceWords: ['fromDate: is required', 'name: is too long'],
		advice: expect.stringMatching(/Correct the values/),
	});
});

test('permissionErrors are a list', () => {
	const { message, details } = refusal(403, {
		errors: { permissionErrors: ['no licenses', 'no files'] },
	});
	expect(message).toContain('not permitted');
	expect(details.serviceWords).toEqual(['no licenses', 'no files']);
});

test('an answer that broke off is not read, even if what came looks whole', () => {
	const broken = { ...answer(201, { shiftScheduleID: 7 }), cut: 'brokenOff' as const };
	expect(failureOf(() => requireSuccess(broken, create))).toMatchObject({
		outcome: 'done',
		message: expect.stringContaining('broke off') as string,
	});
});

test('a flood of words is cut', () => {
	const flood = 'no '.repeat(20_000);
	expect(refusal(400, flood).message.length).toBeLessThan(1000);
	const validationErrors = Array(20_000).fill({ field: 'name', message: 'no' });
	expect(refusal(400, { errors: { validationErrors } }).details.serviceWords!.length).toBeLessThan(
		1000,
	);
});

test('a 401 that stays is a refused sign-in', () => {
	const { message } = refusal(401, { success: false, errors: 'The access token is invalid' });
	expect(message).toBe('Sign-in refused: The access token is invalid');
});

test.each([
	[409, 'Conflict: already there', 'refused'],
	[404, '{"message":"no such route"}', 'refused'],
	[429, '', 'refused'],
	[500, 'it broke', 'unknown'],
	[502, '<html><body>Bad gateway</body></html>', 'unknown'],
	[503, '', 'unknown'],
])('status %d with %j: %s', (status, text, outcome) => {
	const failure = refusal(status, text);
	expect(failure.message).toContain(String(status));
	expect(failure.outcome).toBe(outcome);
	expect(failure.message).not.toContain('<');
	if (!text.includes('<')) expect(failure.message).toContain(text);
});

test('a redirect is an error, and where it points is not followed', () => {
	expect(refusal(302, '').message).toMatch(/redirect/);
});

test('304 is no error', () => {
	expect(isNotModified(answer(304, ''))).toBe(true);
	expect(isNotModified(answer(200, '{}'))).toBe(false);
});

test.each(['', '{"shiftScheduleID": 1', '[1]', '"text"', 'null', '42'])(
	'after a write, an answer of %j means: it was accepted, look it up',
	(text) => {
		const failure = failureOf(() => read(answer(201, text), create));
		expect(failure.outcome).toBe('done');
		expect(failure.advice).toMatch(/look the record up/);
		expect(failureOf(() => read(answer(200, text, 'GET'), get)).outcome).toBe('refused');
	},
);

test('a web page instead of data points at the Base URL', () => {
	const { message, details } = failureOf(() =>
		read(answer(200, '<!DOCTYPE html><p>Welcome'), create),
	);
	expect(message).toMatch(/web page/);
	expect(details.advice).toMatch(/Base URL/);
});

test.each([
	{ errors: { validationErrors: 'x' } },
	{ errors: { validationErrors: [null, 3] } },
	{ errors: { permissionErrors: [{}] } },
	{ errors: null },
	{ errors: 7 },
	[],
])('a refusal of an unexpected shape is still read: %j', (body) => {
	expect(refusal(400, body).outcome).toBe('refused');
});
