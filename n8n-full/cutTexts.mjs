// Finds the texts on a page that a person cannot read to their end. It runs in the browser, whose types the rest of the
// repository does not know, so it is not TypeScript.

/**
 * @param {Element} root
 * @returns {string[]}
 */
function findIn(root) {
	// Pixels: fractions are lost where positions are rounded, and a line is higher than its letters.
	const tolerance = 1;
	const toleranceInHeight = 5;
	const isSeen = (element) =>
		element.checkVisibility({ opacityProperty: true, visibilityProperty: true });

	/** Whether an element around a text hides part of it. Scrollable elements show the rest. */
	const isClipped = (text) => {
		const range = document.createRange();
		range.selectNodeContents(text);
		const { left, right, top, bottom } = range.getBoundingClientRect();
		let scrollsX = false;
		let scrollsY = false;
		for (let around = text.parentElement; around; around = around.parentElement) {
			const { overflowX, overflowY } = getComputedStyle(around);
			const edge = around.getBoundingClientRect();
			scrollsX ||= /auto|scroll/.test(overflowX);
			scrollsY ||= /auto|scroll/.test(overflowY);
			const isOutsideX = left < edge.left - tolerance || right > edge.right + tolerance;
			const isOutsideY =
				top < edge.top - toleranceInHeight || bottom > edge.bottom + toleranceInHeight;
			if (!scrollsX && overflowX !== 'visible' && isOutsideX) return true;
			if (!scrollsY && overflowY !== 'visible' && isOutsideY) return true;
			if (around === root) return false;
		}
		return false;
	};

	const pen = document.createElement('canvas').getContext('2d');
	/** Whether the text of an input is wider than the input. */
	const isTooNarrow = (input) => {
		const { font, letterSpacing, paddingLeft, paddingRight } = getComputedStyle(input);
		Object.assign(pen, { font, letterSpacing });
		const room = input.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight);
		return pen.measureText(input.value || input.placeholder).width > room + tolerance;
	};

	const cut = [];
	const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT);
	for (let node = walker.nextNode(); node; node = walker.nextNode()) {
		if (node instanceof HTMLInputElement) {
			const holdsText = ['text', 'number', 'search'].includes(node.type);
			if (holdsText && isSeen(node) && isTooNarrow(node)) cut.push(node.value || node.placeholder);
		} else if (node instanceof Text && node.data.trim() !== '') {
			if (isSeen(node.parentElement) && isClipped(node)) cut.push(node.data.trim());
		}
	}
	return [...new Set(cut)];
}

/**
 * Texts that are cut off by the edge of what they stand in, and what stands in an input that is too narrow for it: its
 * value, or its placeholder. What can be scrolled to is not cut.
 * @param {import('playwright-core').Locator} part what is looked at
 * @returns {Promise<string[]>} the texts, each once, in the order of the page
 */
export const cutTexts = (part) => part.evaluate(findIn);
