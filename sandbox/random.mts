// Chance that can be repeated.
import { en, Faker } from '@faker-js/faker';

/** From 0 to 1. */
export type Random = () => number;

/** @param seed the same seed throws the same */
export function seededRandom(seed: number): Random {
	const faker = new Faker({ locale: en, seed });
	return () => faker.number.float();
}
