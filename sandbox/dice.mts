// Chance that can be repeated.
import { en, Faker } from '@faker-js/faker';

/** From 0 to 1. */
export type Dice = () => number;

/** @param seed the same seed throws the same */
export function diceOf(seed: number): Dice {
	const faker = new Faker({ locale: en, seed });
	return () => faker.number.float();
}
