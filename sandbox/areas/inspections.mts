import type { Area } from '../area.mts';
import { badRequest } from '../errorResponses.mts';

const questions = [
	'Are exits unobstructed?',
	'Is the fire alarm panel free of trouble signals?',
	'Are extinguishers inspected and tagged?',
	'Is the sprinkler riser accessible?',
	'Are extension cords used only temporarily?',
	'Is the address visible from the street?',
];

export const area: Area = {
	kinds: { inspectionAnswer: 'Answers', inspection: 'Inspections' },
	insertInitialRecords(records, faker) {
		for (let n = 0; n < 60; n++) {
			const inspectionID = records.insert('inspection', { occupancy: faker.company.name() });
			for (const question of questions) {
				const answer = faker.helpers.arrayElement(['yes', 'no', 'not applicable']);
				records.insert('inspectionAnswer', { inspectionID, question, answer });
			}
		}
	},
	handlers: {
		archiveInspectionAnswer({ records }, { params }, reply) {
			const { inspectionID, answerID } = params as Record<string, number>;
			if (!records.get('inspection', inspectionID!)) {
				throw badRequest({ field: 'inspectionID', message: 'no inspection has this ID' });
			}
			if (records.get('inspectionAnswer', answerID!)?.data.inspectionID !== inspectionID) {
				throw badRequest({
					field: 'answerID',
					message: 'the inspection has no answer with this ID',
				});
			}
			records.archive('inspectionAnswer', answerID!);
			return reply.code(204).send();
		},
	},
};
