// The questions of the check, in the order in which they are asked: the first ones say why the others cannot be
// answered, and the last ones use what the others have read.
import type { Finding } from './findings';
import * as answers from './questions/answers';
import * as changes from './questions/changes';
import * as connection from './questions/connection';
import * as filters from './questions/filters';
import * as pages from './questions/pages';
import type { CheckSession } from './session';

/** A question, and how it is answered. */
export interface Question {
	/** The question in a person's words; it identifies the finding. */
	question: string;
	/**
	 * @returns undefined when the question does not arise
	 * @throws Failure when the service's answers do not tell
	 */
	findOut: (session: CheckSession) => Promise<Finding | undefined> | Finding;
}

export const questions: readonly Question[] = [
	{ question: 'Does the service answer?', findOut: connection.checkAddress },
	{ question: 'Is the subscription key accepted?', findOut: connection.checkKey },
	{ question: 'Can the account sign in?', findOut: connection.checkSignIn },
	{
		question: 'How is the token written in the Authorization header?',
		findOut: connection.checkHeader,
	},
	{ question: 'Which lists may the account read?', findOut: connection.checkPermissions },
	{ question: "Is the service's clock right?", findOut: connection.checkClock },
	{ question: 'How many rows may a page have?', findOut: pages.checkPageSize },
	{ question: "What does 'totalRows' count?", findOut: pages.checkTotalRows },
	{ question: "From where does 'offset' count?", findOut: pages.checkOffset },
	{ question: 'Do the rows stay in the same order?', findOut: pages.checkOrder },
	{ question: 'How is a filter written?', findOut: filters.checkFilterSyntax },
	{
		question: 'Do several conditions of a filter all count?',
		findOut: filters.checkJoinedConditions,
	},
	{ question: 'How are numbers written in a filter?', findOut: filters.checkFilterNumbers },
	{ question: "Which dates does 'changesSince' take?", findOut: changes.checkChangesSince },
	{
		question: "Does 'rowVersion' ask for what has changed since?",
		findOut: changes.checkRowVersion,
	},
	{ question: 'How are archived rows asked for?', findOut: changes.checkArchived },
	{ question: 'Do the answers look as the description says?', findOut: answers.checkTypes },
	{
		question: 'Does a second sign-in end the token of the first?',
		findOut: answers.checkSecondSignIn,
	},
	{ question: 'Which limits does the service name?', findOut: answers.checkLimits },
];
