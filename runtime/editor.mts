// n8n's editor as a person uses it: what is seen, by n8n's own test IDs, and what is done, counted.
import type { Locator, Page } from 'playwright-core';

const byId = (id: string): string => `[data-test-id="${id}"]`;

export interface Step {
	/** What is typed into the node panel. */
	search: string;
	/** Name of the node, as the panel shows it. */
	node: string;
	/** What it is to do, as the panel shows it; a tool is not asked. */
	action?: string;
}

export class Editor {
	readonly page: Page;
	private readonly url: string;
	/** What went wrong in the editor's own code. */
	readonly errors: string[] = [];
	private clicks = 0;
	private drags = 0;
	private texts = 0;

	/**
	 * @param page signed in, see openPage()
	 * @param url of n8n
	 */
	constructor(page: Page, url: string) {
		this.page = page;
		this.url = url;
		page.on('pageerror', ({ message }) => this.errors.push(message));
	}

	/** Forgets what was done, and what went wrong. */
	beginTask(): void {
		this.clicks = this.drags = this.texts = 0;
		this.errors.length = 0;
	}

	/** What was done since the task began, with mouse and keyboard. */
	get effort(): string {
		return `${this.clicks} clicks, ${this.drags} columns dragged, ${this.texts} texts typed`;
	}

	/** A part of the screen by its test ID, and what it says. */
	part(id: string, text?: string | RegExp): Locator {
		return this.page.locator(byId(id)).filter({ hasText: text });
	}

	/** The input of a node's parameter, at whatever depth of the form. */
	parameter(name: string): Locator {
		return this.page
			.locator(`.parameter-value-container${byId(`parameter-input-${name}`)}`)
			.first();
	}

	node(name: string): Locator {
		return this.part('canvas-node').filter({ has: this.page.getByText(name, { exact: true }) });
	}

	/** The mark of a node that has run. */
	succeeded(node: string): Locator {
		return this.node(node).locator(byId('canvas-node-status-success'));
	}

	async click(target: Locator): Promise<void> {
		await target.click();
		this.clicks++;
	}

	/** Clicks into a field and types. */
	async type(target: Locator, text: string): Promise<void> {
		await this.click(target);
		await target.fill(text);
		this.texts++;
	}

	/** Chooses from a parameter's list. */
	async choose(parameter: string, option: string): Promise<void> {
		await this.click(this.parameter(parameter));
		const options = this.page.getByRole('option').filter({ visible: true });
		await this.click(options.filter({ hasText: option }).first());
	}

	/**
	 * Drags a column of the input onto a parameter. n8n then shows the value below it, over what stands there:
	 * columns are dragged from the bottom up.
	 */
	async map(column: string, parameter: string): Promise<void> {
		const from = this.part('ndv-input-panel').locator(
			`[data-target="mappable"][data-name="${column}"]`,
		);
		const to = this.parameter(parameter);
		await to.scrollIntoViewIfNeeded();
		await from.hover();
		await this.page.mouse.down();
		const { x, y, width, height } = (await to.boundingBox())!;
		// n8n looks for the place to drop at while the mouse moves.
		await this.page.mouse.move(x + width / 2, y + height / 2, { steps: 10 });
		await this.page.locator('.activeDrop').waitFor();
		await this.page.mouse.up();
		await to.filter({ hasText: `$json.${column}` }).waitFor();
		this.drags++;
	}

	/** Opens a workflow, or a new one, and waits for its canvas. */
	async open(workflow = 'new'): Promise<void> {
		await this.page.goto(`${this.url}/workflow/${workflow}`);
		const first = workflow === 'new' ? 'canvas-plus-button' : 'canvas-node';
		await this.part(first).first().waitFor();
	}

	/** An entry of the node panel. */
	private found(name: string): Locator {
		return this.part('node-creator-item-name', new RegExp(`^\\s*${name}\\s*$`));
	}

	/** Searches the node panel, until it shows the node. */
	async search({ search, node }: Step): Promise<void> {
		await this.type(this.part('node-creator-search-bar'), search);
		await this.found(node).waitFor();
	}

	/** Chooses what the node panel found, and opens its form. */
	async chooseFound({ node, action }: Step): Promise<void> {
		await this.click(this.found(node));
		if (action) await this.click(this.found(action));
		await this.part('ndv').waitFor();
	}

	/** Adds the first node of a workflow, or one at a plus, and opens its form. */
	async add(step: Step, plus = this.part('canvas-plus-button')): Promise<void> {
		await this.click(plus);
		await this.search(step);
		await this.chooseFound(step);
	}

	private plus(node: string, end: 'input' | 'output', type: string): Locator {
		return this.page
			.locator(`${byId(`canvas-node-${end}-handle`)}[data-connection-type="${type}"]`)
			.and(this.page.locator(`[data-node-name="${node}"]`))
			.locator(byId('canvas-handle-plus'));
	}

	/** Where the next step of a node is added. */
	plusAfter(node: string): Locator {
		return this.plus(node, 'output', 'main');
	}

	/** Where a tool of an agent is added. */
	plusTool(agent: string): Locator {
		return this.plus(agent, 'input', 'ai_tool');
	}

	/** Buttons that leave a field of a tool to the agent. */
	get leftToAgent(): Locator {
		return this.part('from-ai-override-button');
	}

	/** Marks of fields that must still be filled in. */
	get issues(): Locator {
		return this.part('parameter-issues');
	}

	/** Opens the form of a node. */
	async openForm(node: string): Promise<void> {
		await this.node(node).dblclick();
		this.clicks += 2;
		await this.part('ndv').waitFor();
	}

	/** Executes the step whose form is open, and waits for its end. */
	async execute(): Promise<void> {
		await this.click(this.part('node-execute-button'));
		await this.outputs.or(this.branchTabs).or(this.failure).first().waitFor();
		await this.part('node-execute-button', 'Execute step').waitFor();
	}

	/**
	 * Executes the workflow that is open.
	 * @param trigger where it begins; the one that n8n proposes if not given
	 * @returns ID of the execution, which goes on
	 */
	async executeWorkflow(trigger?: string): Promise<string> {
		const begun = this.page.waitForResponse(/\/rest\/workflows\/\w+\/run/);
		// The button of a trigger is shown while the mouse is over it.
		if (trigger) await this.node(trigger).hover();
		const button = ['execute-workflow-button', trigger].filter(Boolean).join('-');
		await this.click(this.part(button));
		const { data } = (await (await begun).json()) as { data: { executionId: string } };
		return data.executionId;
	}

	/** Said once a run has succeeded, and the canvas shows what came of it. */
	get executed(): Locator {
		return this.page.getByText('Workflow executed successfully').first();
	}

	/** Turns to what n8n calls the settings of the node. */
	async openSettings(): Promise<void> {
		await this.click(this.part('tab-settings'));
	}

	/** The outputs of a node that has several, with their numbers of items. */
	get branchTabs(): Locator {
		return this.part('output-panel').locator(byId('branches'));
	}

	/** What they say. */
	async branches(): Promise<string[]> {
		const texts = (await this.branchTabs.innerText()).split('\n');
		return texts.map((text) => text.trim()).filter((text) => text !== '');
	}

	/** The number of items at the output, once there are any. */
	get outputs(): Locator {
		return this.part('output-panel').locator(byId('ndv-items-count'));
	}

	/** What the node says when it failed. */
	get failure(): Locator {
		return this.part('node-error-message');
	}

	/** Opens the form that installs community nodes. */
	async openInstallation(): Promise<void> {
		await this.page.goto(`${this.url}/settings/community-nodes`);
		await this.click(this.page.getByRole('button', { name: 'Install a community node' }));
	}

	/**
	 * Makes a credential and saves it, which tests it.
	 * @param type as n8n shows it
	 * @param texts what is typed, by the names of the fields
	 */
	async createCredential(type: string, texts: Readonly<Record<string, string>>): Promise<void> {
		await this.page.goto(`${this.url}/home/credentials`);
		await this.click(this.part('empty-resources-list').getByRole('button'));
		await this.type(this.part('new-credential-type-select').locator('input'), type);
		await this.click(this.part('new-credential-type-select-option', type));
		await this.click(this.part('new-credential-type-button'));
		for (const [name, text] of Object.entries(texts)) {
			await this.type(this.parameter(name).locator('input'), text);
		}
		await this.click(this.part('credential-save-button'));
	}

	/** Said once the test of a credential has succeeded. */
	get credentialWorks(): Locator {
		return this.part('credentials-config-container-test-success');
	}
}
