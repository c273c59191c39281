// `npm run pictures`: makes the pictures of the documentation, in the full n8n and a real browser. With names after it,
// such as `npm run pictures -- night examples`, it takes only those.
import { openEditorWithSandbox } from '../n8n-full/editorWithSandbox.mts';
import { createCredential } from '../n8n-full/webhookWorkflows.mts';
import { sandboxCredential } from '../n8n-in-process/sandboxCredential.mts';
import { documentedPackage } from './docs/package.mts';
import { takeExamples } from './pictures/examples.mts';
import { takeDoubt, takeNight, takeSettling } from './pictures/night.mts';
import { takeNodeForms } from './pictures/nodeForms.mts';
import {
	takeCredential,
	takeFailure,
	takeGrants,
	takeRequest,
	takeShifts,
	takeTrigger,
} from './pictures/quickStart.mts';
import { takeSandboxPage } from './pictures/sandboxPage.mts';

const wanted = process.argv.slice(2);
const documented = await documentedPackage();

// The sandbox's own port, as `npm run sandbox` prints it: the credential's picture shows it.
const station = await openEditorWithSandbox(15_718, 8950, {
	viewport: { width: 1200, height: 840 },
});
const { browser, editor, session, sandbox } = station;
try {
	const steps: Record<string, () => Promise<void>> = {
		credential: () => takeCredential(editor, sandbox.url),
		grants: () => takeGrants(editor, sandbox.url),
		shifts: () => takeShifts(editor, session),
		failure: () => takeFailure(editor, session),
		request: () => takeRequest(editor, session),
		trigger: () => takeTrigger(editor, session),
		nodes: () => takeNodeForms(editor, documented.nodes),
		night: () => takeNight(editor, session, sandbox),
		doubt: () => takeDoubt(editor, session, sandbox),
		settling: () => takeSettling(editor, session, sandbox),
		examples: () => takeExamples(editor, session),
		'sandbox-page': () => takeSandboxPage(browser, documented),
	};
	const unknown = wanted.filter((step) => !(step in steps));
	if (unknown.length > 0)
		throw new Error(`${unknown.join(', ')}: not one of ${Object.keys(steps).join(', ')}`);
	console.log('Taking pictures into docs/pictures …');
	if (wanted.length > 0) await createCredential(session, sandboxCredential(sandbox.url));
	for (const [step, takeStep] of Object.entries(steps)) {
		if (wanted.length === 0 || wanted.includes(step)) await takeStep();
	}
} finally {
	await station.close();
}
