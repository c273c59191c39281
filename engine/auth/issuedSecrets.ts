// Finds the tokens and codes that a response to a sign-in carries, so that no message shows them.
import { jsonIn } from '../http/json';

const nameOfSecret = /(?:access|refresh|(?<![a-z])id)_?token$|^code$/i;

/** Such a name in a text, with its value: in a query, also a percent-encoded one, or as programs print variables. */
const secretInText =
	/(?:(?:access|refresh|(?<![a-z])id)_?token|code(?=['"=%]))["'\s]*(?:[:=]|%3d)["'\s]*([^&\s"<>#]+)/gi;

/** Values in a query are percent-encoded, once for each address that the query stands in, and messages may show them decoded. */
const fullyDecoded = (text: string) => {
	const encodedOnce = text.replace(/%(?:25)+/g, '%').replaceAll('&', '%26');
	return new URLSearchParams(`text=${encodedOnce}`).get('text')!;
};

/**
 * @param part of a response: a text, or what JSON holds, at any depth
 * @param isSecret whether all of it stands under the name of a secret
 */
export function issuedSecrets(part: unknown, isSecret = false): string[] {
	if (typeof part === 'object' && part !== null)
		return Object.entries(part).flatMap(([name, value]) =>
			issuedSecrets(value, isSecret || nameOfSecret.test(name)),
		);
	if (typeof part !== 'string') return isSecret ? [String(part)] : [];
	const found = [part, fullyDecoded(part)]
		.flatMap((text) => [...text.matchAll(secretInText)])
		.flatMap(([, value = '']) => [value, fullyDecoded(value)]);
	return [...(isSecret ? [part] : []), ...issuedSecrets(jsonIn(part)), ...found];
}
