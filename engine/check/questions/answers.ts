// In what the answers differ from the description, without any harm; and whether the service knows versions.
import { CannotTell, nothingToSet, type Question } from '../findings';
import { readingsOf } from '../overview';
import type { CheckSession } from '../session';
import { largestPage } from './pages';

export const typesQuestion: Question<CheckSession> = {
	question: 'Do the answers look as the description says?',
	async findOut(session) {
		const readings = await readingsOf(session);
		if (readings.length === 0) throw new CannotTell('No list could be read.');
		const { reading: larger } = await largestPage(session);
		const remarks = [...new Set([...readings, larger].flatMap((reading) => reading.remarks))];
		const evidence = [...readings, larger].map((reading) => reading.evidence);
		return remarks.length === 0
			? { answer: 'Yes, those that were read.', means: nothingToSet, evidence, certainty: 'yes' }
			: {
					answer: `Not quite. ${remarks.join(' ')}`,
					means:
						'Nothing to change: the nodes read them all the same, and give the names and types of the description.',
					evidence,
					certainty: 'yes',
				};
	},
};

export const etagQuestion: Question<CheckSession> = {
	question: 'Does the service leave a record out that still has the version of the ETag?',
	async findOut(session) {
		const { shiftID } = session.options;
		if (shiftID === undefined) {
			throw new CannotTell(
				"This is asked of one shift, and no 'Shift ID' was given.",
				[],
				"Give the 'Shift ID' of any shift, then run the check again.",
			);
		}
		const first = await session.readRecord(shiftID);
		const { rowVersion } = first.record!;
		if (typeof rowVersion !== 'string' || rowVersion === '') {
			throw new CannotTell('The shift has no version.', [first.evidence]);
		}
		const again = await session.readRecord(shiftID, rowVersion);
		const evidence = [first.evidence, again.evidence];
		return again.record === undefined
			? { answer: 'Yes, with status 304.', means: nothingToSet, evidence, certainty: 'yes' }
			: {
					answer: 'No: it is sent again, with the same version.',
					means: "The option 'ETag' has no effect on reads.",
					evidence,
					certainty: 'yes',
				};
	},
};
