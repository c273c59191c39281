// CHANGELOG.md, as https://keepachangelog.com has it: a heading `## [version] - date` for each release, and
// `## [Unreleased]` for what comes next.

/**
 * A released version's part.
 * @param {string} changelog text of CHANGELOG.md
 * @param {string} version such as `0.1.0`
 * @returns {{ date: string, notes: string } | undefined} undefined when it has none with a date
 */
export function releaseIn(changelog, version) {
	const [, ...parts] = changelog.split(/^## /m);
	for (const part of parts) {
		const [heading = '', ...lines] = part.split('\n');
		const [, name, date] = /^\[(.+)\] - (\d{4}-\d{2}-\d{2})$/.exec(heading) ?? [];
		if (name === version) return { date, notes: lines.join('\n').trim() };
	}
	return undefined;
}
