// Finds out which value of one of the credential's settings the service understands, by trying one after the other.
import {
	conventionInWords,
	conventionLabel,
	conventionValues,
	whereConventionsAre,
	type ServiceConventions,
} from '../form/serviceConventions';
import { CannotTell, nothingToSet, type Finding } from './findings';
import type { CheckSession } from './session';

/** What became of one value. */
export interface Trial {
	/** Why the service does not understand the value; undefined when it does. */
	objection?: string;
	evidence: readonly string[];
}

/**
 * The finding for a setting of the credential whose right value is known.
 * @param answer what the service does, in a person's words
 */
export function conventionFinding<Name extends keyof ServiceConventions>(
	{ conventions }: CheckSession,
	name: Name,
	value: ServiceConventions[Name],
	finding: Pick<Finding, 'answer' | 'evidence'> & Partial<Finding>,
): Finding {
	const label = conventionLabel(name);
	const isToBeChanged = conventions[name] !== value;
	return {
		means: isToBeChanged
			? `Set '${label}' to '${conventionInWords(name, value)}' ${whereConventionsAre}.`
			: nothingToSet,
		setting: label,
		value: conventionInWords(name, value),
		isToBeChanged,
		certainty: 'yes',
		...finding,
	};
}

/**
 * Tries the values of a setting, the present one first, until the service understands one.
 * @param tryValue asks the service with a value
 * @param advice what to do when it understands none
 * @returns the value that is understood, and the finding
 * @throws CannotTell when it understands none
 */
export async function searchConvention<
	Name extends 'filterSyntax' | 'filterNumbers' | 'changesSinceFormat' | 'archivedValues',
>(
	session: CheckSession,
	name: Name,
	tryValue: (value: ServiceConventions[Name]) => Promise<Trial>,
	advice: string,
): Promise<{ value: ServiceConventions[Name]; finding: Finding }> {
	const current = session.conventions[name];
	const values = [current, ...conventionValues(name).filter((value) => value !== current)];
	const evidence: string[] = [];
	const objections: string[] = [];
	for (const value of values) {
		const trial = await tryValue(value);
		evidence.push(...trial.evidence);
		const inWords = conventionInWords(name, value);
		if (trial.objection === undefined) {
			const finding = conventionFinding(session, name, value, { answer: `${inWords}.`, evidence });
			return { value, finding };
		}
		objections.push(`${inWords}: ${trial.objection}`);
	}
	throw new CannotTell(
		`The service understands none of those that were tried (${objections.join('; ')}).`,
		evidence,
		advice,
	);
}
