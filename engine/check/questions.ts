// The questions of the check, in the order in which they are asked: the first ones say why the others cannot be
// answered, and the last ones use what the others have read.
import type { Question } from './findings';
import { etagQuestion, typesQuestion } from './questions/answers';
import { archivedQuestion, changesSinceQuestion, rowVersionQuestion } from './questions/changes';
import {
	addressQuestion,
	clockQuestion,
	keyQuestion,
	permissionsQuestion,
	signInQuestion,
} from './questions/connection';
import {
	filterNumbersQuestion,
	filterSyntaxQuestion,
	joinedConditionsQuestion,
} from './questions/filters';
import {
	offsetQuestion,
	orderQuestion,
	pageSizeQuestion,
	totalRowsQuestion,
} from './questions/pages';
import {
	headerQuestion,
	otherGrantQuestion,
	secondSignInQuestion,
	tokenLifetimeQuestion,
} from './questions/signIn';
import { delayQuestion, limitsQuestion, parallelQuestion } from './questions/speed';
import type { CheckSession } from './session';

export const questions: ReadonlyArray<Question<CheckSession>> = [
	addressQuestion,
	keyQuestion,
	signInQuestion,
	headerQuestion,
	permissionsQuestion,
	clockQuestion,
	pageSizeQuestion,
	totalRowsQuestion,
	offsetQuestion,
	orderQuestion,
	filterSyntaxQuestion,
	joinedConditionsQuestion,
	filterNumbersQuestion,
	changesSinceQuestion,
	rowVersionQuestion,
	archivedQuestion,
	etagQuestion,
	typesQuestion,
	tokenLifetimeQuestion,
	secondSignInQuestion,
	otherGrantQuestion,
	parallelQuestion,
	delayQuestion,
	limitsQuestion,
];
