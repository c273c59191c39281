// Drives n8n's editor as a user does, finding elements by n8n's own test IDs.
import type { Locator, Page } from 'playwright-core';

const byId = (id: string): string => `[data-test-id="${id}"]`;

export interface NodeChoice {
	/** The text typed into the node panel. */
	search: string;
	/** The name of the node, as the panel shows it. */
	node: string;
	/** The action, as the panel shows it. n8n does not ask for a tool's action. */
	action?: string;
}

export class Editor {
	readonly page: Page;
	private readonly url: string;
	/** Errors thrown by the editor's own code. */
	readonly errors: string[] = [];

	/**
	 * @param page a page that is signed in, from openSignedInPage()
	 * @param url the address of n8n
	 */
	constructor(page: Page, url: string) {
		this.page = page;
		this.url = url;
		page.on('pageerror', ({ message }) => this.errors.push(message));
	}

	/** An element by its test ID and, if given, its text. */
	part(id: string, text?: string | RegExp): Locator {
		return this.page.locator(byId(id)).filter({ hasText: text });
	}

	/** The input of a node's parameter, at any depth of the form. */
	parameter(name: string): Locator {
		return this.page
			.locator(`.parameter-value-container${byId(`parameter-input-${name}`)}`)
			.first();
	}

	node(name: string): Locator {
		return this.part('canvas-node').filter({ has: this.page.getByText(name, { exact: true }) });
	}

	/** Clicks into a field and types: the click opens the list that is then searched. */
	async type(field: Locator, text: string): Promise<void> {
		await field.click();
		await field.fill(text);
	}

	/**
	 * Drags a column of the input onto a parameter. n8n then shows the value over the parameter below, so drag columns from
	 * the bottom up.
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
		// n8n looks for the drop target while the mouse moves.
		await this.page.mouse.move(x + width / 2, y + height / 2, { steps: 10 });
		await this.page.locator('.activeDrop').waitFor();
		await this.page.mouse.up();
		await to.filter({ hasText: `$json.${column}` }).waitFor();
	}

	/** Opens a workflow, or a new one, and waits for its canvas. */
	async open(workflow = 'new'): Promise<void> {
		await this.page.goto(`${this.url}/workflow/${workflow}`);
		const first = workflow === 'new' ? 'canvas-plus-button' : 'canvas-node';
		await this.part(first).first().waitFor();
	}

	/** An entry found by the node panel. */
	private foundEntry(name: string): Locator {
		return this.part('node-creator-item-name', new RegExp(`^\\s*${name}\\s*$`));
	}

	/**
	 * Searches the node panel. A panel that is still opening clears its search bar, so this may type again.
	 * @returns whether the panel shows the node in the end
	 */
	async search({ search, node }: NodeChoice): Promise<boolean> {
		const bar = this.part('node-creator-search-bar');
		await this.type(bar, search);
		for (let tries = 0; tries < 3; tries++) {
			const isFound = await this.foundEntry(node)
				.waitFor({ timeout: 5000 })
				.then(
					() => true,
					() => false,
				);
			if (isFound) return true;
			await bar.fill('');
			await bar.fill(search);
		}
		return false;
	}

	/** Chooses the entry found by the node panel, and opens the node's form. */
	async chooseFound({ node, action }: NodeChoice): Promise<void> {
		await this.foundEntry(node).click();
		if (action) await this.foundEntry(action).click();
		await this.part('ndv').waitFor();
	}

	/** Adds the first node of a workflow, or one with a plus button of the canvas, and opens the node's form. */
	async add(step: NodeChoice, plus = this.part('canvas-plus-button')): Promise<void> {
		await plus.click();
		// A panel that opens before n8n knows all nodes keeps showing groups of nodes.
		if (!(await this.search(step))) {
			await this.page.keyboard.press('Escape');
			await plus.click();
			await this.search(step);
		}
		await this.chooseFound(step);
	}

	private plusButton(node: string, end: 'input' | 'output', type: string): Locator {
		return this.page
			.locator(`${byId(`canvas-node-${end}-handle`)}[data-connection-type="${type}"]`)
			.and(this.page.locator(`[data-node-name="${node}"]`))
			.locator(byId('canvas-handle-plus'));
	}

	/** The button that adds the next step after a node. */
	plusAfter(node: string): Locator {
		return this.plusButton(node, 'output', 'main');
	}

	/** The button that adds a tool to an agent. */
	plusTool(agent: string): Locator {
		return this.plusButton(agent, 'input', 'ai_tool');
	}

	/** The buttons that let the agent fill in a field of a tool. */
	get leftToAgent(): Locator {
		return this.part('from-ai-override-button');
	}

	/** Opens the form of a node. */
	async openForm(node: string): Promise<void> {
		await this.node(node).dblclick();
		await this.part('ndv').waitFor();
	}

	/** The inputs of the open form that offer a list. */
	get lists(): Locator {
		return this.part('node-parameters').locator('.el-select').filter({ visible: true });
	}

	/** The list that one of them has opened. */
	get openList(): Locator {
		return this.page.locator('.el-select-dropdown').filter({ visible: true });
	}

	async closeForm(): Promise<void> {
		await this.part('ndv-close-button').click();
		await this.part('ndv').waitFor({ state: 'detached' });
	}

	/** Executes the step whose form is open, and waits until it has ended. */
	async execute(): Promise<void> {
		await this.part('node-execute-button').click();
		await this.outputs.or(this.branchTabs).or(this.failure).first().waitFor();
		await this.part('node-execute-button', 'Execute step').waitFor();
	}

	/**
	 * Executes the open workflow.
	 * @param trigger the trigger to start with; by default, the one that n8n proposes
	 * @returns the ID of the execution, which may still be running
	 */
	async executeWorkflow(trigger?: string): Promise<string> {
		const response = this.page.waitForResponse(/\/rest\/workflows\/\w+\/run/);
		// n8n shows the button of a trigger only while the mouse is over the trigger.
		if (trigger) await this.node(trigger).hover();
		const button = ['execute-workflow-button', trigger].filter(Boolean).join('-');
		await this.part(button).click();
		const { data } = (await (await response).json()) as { data: { executionId: string } };
		return data.executionId;
	}

	/** The message that n8n shows once an execution has ended and its results are on the canvas. */
	get executed(): Locator {
		return this.page.getByText(/^(Workflow executed successfully|Problem in node )/).first();
	}

	/** The tabs of a node's outputs, if it has several. */
	get branchTabs(): Locator {
		return this.part('output-panel').locator(byId('branches'));
	}

	/** The number of items at the output, shown once there are any. */
	get outputs(): Locator {
		return this.part('output-panel').locator(byId('ndv-items-count'));
	}

	/** The error message of a node that failed. */
	get failure(): Locator {
		return this.part('node-error-message');
	}

	/**
	 * Creates a credential and saves it; n8n then tests it.
	 * @param type the name of its type, as n8n shows it
	 * @param texts the texts to type, by field name
	 */
	async createCredential(type: string, texts: Readonly<Record<string, string>>): Promise<void> {
		await this.page.goto(`${this.url}/home/credentials`);
		await this.part('empty-resources-list').getByRole('button').click();
		await this.type(this.part('new-credential-type-select').locator('input'), type);
		await this.part('new-credential-type-select-option', type).click();
		await this.part('new-credential-type-button').click();
		for (const [name, text] of Object.entries(texts)) {
			await this.type(this.parameter(name).locator('input'), text);
		}
		await this.part('credential-save-button').click();
	}

	/** The message that n8n shows once the test of a credential has succeeded. */
	get credentialWorks(): Locator {
		return this.part('credentials-config-container-test-success');
	}
}
