// What else the answers show: in what they differ from the description, without any harm; whether their token has
// ended; and which limits they name.
import { countOf } from '../../http/inWords';
import { nothingToSet, told, type Finding } from '../findings';
import { cannotTell, type CheckSession } from '../session';
import { largestPage } from './pages';

export async function checkTypes(session: CheckSession): Promise<Finding> {
	if (session.readings.length === 0) throw cannotTell('No list could be read.');
	const { reading: larger } = await largestPage(session);
	const readings = [...session.readings, larger];
	session.cite(...readings);
	const remarks = [...new Set(readings.flatMap((reading) => reading.remarks))];
	return remarks.length === 0
		? told('Yes, those that were read.')
		: told(
				`Not quite. ${remarks.join(' ')}`,
				'Nothing to change: the nodes read them all the same, and give the names and types of the description.',
			);
}

export async function checkSecondSignIn(session: CheckSession): Promise<Finding> {
	if (!session.maySignInAgain)
		throw cannotTell(
			'This was not asked, since it may interrupt what runs at this moment.',
			"Turn 'Sign In Again' on to have it asked.",
		);
	session.mainList();
	await session.signInAgain();
	const { tries } = await session.read({ limit: 1 });
	session.evidence.push(`sent ${countOf(tries, 'time')} after a second sign-in`);
	return tries > 1
		? told(
				'Yes: the service keeps one token an account.',
				'Give each n8n, and each other program, an account of its own with the service. Workers of one n8n share their token.',
			)
		: told('No.');
}

/** Headers in which services name limits: those of RFC drafts, of Azure API Management, and the usual ones. */
const isLimitHeader = (name: string): boolean => /rate-?limit|quota|^retry-after$/i.test(name);

export function checkLimits({ readings }: CheckSession): Finding {
	if (readings.length === 0) throw cannotTell('No list could be read.');
	const headers = readings.flatMap((reading) => Object.entries(reading.headers));
	const limits = new Map(headers.filter(([name]) => isLimitHeader(name)));
	const named = [...limits].map(([name, value]) => `${name}: ${String(value)}`);
	return told(named.length === 0 ? 'None in its headers.' : named.join('; '), nothingToSet, {
		compared: [...limits.keys()].sort().join(),
	});
}
