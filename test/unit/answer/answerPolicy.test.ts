// Whatever is found in an answer, only what is due, and nothing that speaks against it, is a success.
import {
	verdictOn,
	type AnswerKind,
	type AnswerContents,
} from '../../../engine/answer/answerPolicy';

const kinds: AnswerKind[] = ['record', 'nothing', 'reports', 'read'];
const either = [true, false];
const findings: AnswerContents[] = [200, 201, 202, 203, 204, 205, 206, 207, 226, 299].flatMap(
	(status) =>
		either.flatMap((isCut) =>
			either.flatMap((isWebPage) =>
				([undefined, 'certainly', 'perhaps'] as const).flatMap((saysNo) =>
					either.flatMap((isDue) =>
						[undefined, 'notice'].map((textBefore) => ({
							...{ status, isCut, isWebPage, saysNo, isDue, textBefore },
						})),
					),
				),
			),
		),
);

describe.each(kinds)('%s', (kind) => {
	const isRead = kind === 'read';

	test('is a success only if it is there, and nothing speaks against it', () => {
		const successes = findings.filter((finding) => verdictOn(kind, finding) === 'success');
		expect(successes.length).toBeGreaterThan(0);
		for (const { status, isCut, isWebPage, saysNo, isDue, textBefore } of successes) {
			expect([isCut, isWebPage, saysNo, isDue]).toEqual([false, false, undefined, true]);
			const isByItself = kind === 'record' || kind === 'nothing';
			if (isByItself) expect([status === 202, textBefore]).toEqual([false, undefined]);
		}
	});

	test('has changed nothing only if it is a read, or the service certainly refused it', () => {
		const refused = findings.filter((finding) => verdictOn(kind, finding) === 'refused');
		const isCertain = ({ saysNo, isCut, isWebPage }: AnswerContents) =>
			saysNo === 'certainly' && !isCut && !isWebPage;
		expect(refused.length).toBeGreaterThan(0);
		if (!isRead) expect(refused.every(isCertain)).toBe(true);
		for (const finding of findings) {
			const outcome = verdictOn(kind, finding);
			expect(isRead ? ['success', 'refused'] : ['success', 'refused', 'done', 'unknown']).toContain(
				outcome,
			);
		}
	});
});
