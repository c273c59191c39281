// Keeps the page up to date, and sends its forms without leaving it. All of it works without this, too.
const root = document.documentElement;
root.classList.add('scripted');
const message = document.getElementById('message');

let hiding;

/** Shows a message long enough to be read. */
function say(text) {
	message.textContent = text;
	clearTimeout(hiding);
	hiding = setTimeout(() => (message.textContent = ''), 8000);
}
if (message.textContent !== '') say(message.textContent);

const isField = (element) => element?.matches('input, select, textarea');

/** Replaces a part's content and keeps the focus. */
function replace(part, content) {
	const focused = part.contains(document.activeElement) ? document.activeElement.id : '';
	part.innerHTML = content;
	if (focused !== '') document.getElementById(focused)?.focus({ preventScroll: true });
}

/** Content that waits until nobody is typing in its part. */
const waiting = new Map();

function show(part, content) {
	if (part.contains(document.activeElement) && isField(document.activeElement)) {
		waiting.set(part, content);
	} else {
		waiting.delete(part);
		replace(part, content);
	}
}

document.addEventListener('focusout', ({ target, relatedTarget }) => {
	const part = target.closest('[data-live]');
	if (!waiting.has(part) || part.contains(relatedTarget)) return;
	replace(part, waiting.get(part));
	waiting.delete(part);
});

let source;

function connect() {
	source = new EventSource(`/sandbox/events${location.search}`);
	source.onopen = () => root.classList.remove('away');
	source.onerror = () => root.classList.add('away');
	source.onmessage = ({ data }) => {
		for (const [name, content] of Object.entries(JSON.parse(data))) {
			for (const part of document.querySelectorAll(`[data-live="${name}"]`)) show(part, content);
		}
	};
}

const live = document.getElementById('live');
live.addEventListener('change', () => {
	if (live.checked) connect();
	else source.close();
});
if (live.checked) connect();

/** Sends a form, and shows the message of the page it leads to. */
async function send(form, submitter) {
	try {
		const response = await fetch(form.action, {
			method: 'POST',
			body: new URLSearchParams(new FormData(form, submitter)),
		});
		const page = new DOMParser().parseFromString(await response.text(), 'text/html');
		say(page.getElementById('message').textContent);
	} catch {
		say('The sandbox does not respond');
	}
}

document.addEventListener('submit', (event) => {
	if (!('stay' in event.target.dataset)) return;
	event.preventDefault();
	void send(event.target, event.submitter);
});

document.addEventListener('click', async ({ target }) => {
	const { copy } = target.dataset;
	if (copy === undefined) return;
	try {
		await navigator.clipboard.writeText(copy);
		say(`Copied: ${copy}`);
	} catch {
		say('The browser does not allow copying: select the value and copy it yourself');
	}
});

document.addEventListener('change', ({ target }) => {
	const form = target.closest('form[data-at-once]');
	if (form?.reportValidity()) void send(form);
});

document.addEventListener('input', ({ target }) => {
	const percent = target.nextElementSibling;
	if (percent?.matches('.percent')) percent.textContent = `${target.value} %`;
});
