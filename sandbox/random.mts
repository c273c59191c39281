// Random numbers that can be repeated.
import { en, Faker } from '@faker-js/faker';

/** @returns a number from 0 to 1 */
export type Random = () => number;

/** @param seed the same seed gives the same numbers in the same order */
export function seededRandom(seed: number): Random {
	const faker = new Faker({ locale: en, seed });
	return () => faker.number.float();
}
