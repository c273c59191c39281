// `npm run pictures`: makes the pictures of the documentation, in the full n8n and a real browser.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { openEditorWithSandbox } from '../n8n-full/editorWithSandbox.mts';
import { documentedPackage, root } from './docs/package.mts';
import { takeExamples } from './pictures/examples.mts';
import { takeNight } from './pictures/night.mts';
import { takeNodeForms } from './pictures/nodeForms.mts';
import {
	takeCredential,
	takeFailure,
	takeFirstDay,
	takeGrants,
	takeInstallation,
	takeRequest,
	takeShifts,
} from './pictures/quickStart.mts';
import { takeSandboxPage } from './pictures/sandboxPage.mts';

const { name } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { name: string };
const documented = await documentedPackage();

// The sandbox's own port, as `npm run sandbox` prints it: the credential's picture shows it.
const station = await openEditorWithSandbox(15_718, 8950, {
	viewport: { width: 1200, height: 840 },
});
const { browser, editor, session, sandbox } = station;
try {
	console.log('Taking pictures into docs/pictures …');
	await takeInstallation(editor, name);
	await takeCredential(editor, sandbox.url);
	await takeGrants(editor, sandbox.url);
	await takeShifts(editor, session);
	await takeFailure(editor, session);
	await takeRequest(editor, session);
	await takeFirstDay(editor, sandbox);
	await takeNodeForms(editor, documented.nodes);
	await takeNight(editor, session, sandbox);
	await takeExamples(editor, session);
	await takeSandboxPage(browser, documented);
} finally {
	await station.close();
}
