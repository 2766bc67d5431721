// Shared by the pages' modules: elements, the log for screen readers, texts.

/** @param {string} id @returns {any} */
export const byId = (id) => document.getElementById(id);

/** Returns the number of a figure that a page shows, as in the reader's language. @param {string} figure */
export const numberOf = (figure) => Number(figure.replace(",", ".").replace("\u2212", "-"));

/**
 * Adds a line to the page's log, which screen readers read out.
 * @param {string} sentence
 */
export function say(sentence) {
  const line = document.createElement("p");
  line.textContent = sentence;
  byId("log").append(line);
}

let texts = null; // the sentences of the page by name

/**
 * Returns a sentence of the page, which its template has in `data-texts`.
 * @param {string} name
 * @param {Record<string, unknown>} values for the names in braces
 * @returns {string}
 */
export function text(name, values = {}) {
  texts ??= Object.assign({}, ...[...document.querySelectorAll("[data-texts]")].map(parsed));
  return texts[name].replace(/\{(\w+)\}/g, (_, key) => String(values[key]));
}

const parsed = (/** @type {any} */ element) => JSON.parse(element.dataset.texts);

const TYPED = "main :is(textarea, input:is(:not([type]), [type=text], [type=number], [type=search]))";

const isUnsent = (/** @type {any} */ { value, defaultValue }) => value !== defaultValue;

/** Whether text, a number or a search that was typed into the page has not been sent. */
export const hasTyped = () => [...document.querySelectorAll(TYPED)].some(isUnsent);

/** Whether the reader is in a field with something typed that has not been sent. */
export function isWriting() {
  const field = document.activeElement;
  return Boolean(field?.matches(TYPED)) && isUnsent(field);
}

let byPointer = false;
addEventListener("pointerdown", () => (byPointer = true), true);
addEventListener("keydown", ({ key }) => (byPointer &&= key !== "Tab"), true);

/** Whether the page's focus was set with a pointer and not moved by Tab since. */
export const isByPointer = () => byPointer;

/** The arrow keys, with their steps to the right and down. */
export const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

const MOVING = /^(Arrow|Home|End|Page)/;

/**
 * Whether a field takes the key that was pressed: text takes all of them, a slider those that move it, and a choice
 * these unless it was clicked. Who has clicked a tab goes on through the moves.
 * @param {KeyboardEvent} event
 */
export function isTyped(event) {
  const field = /** @type {Element} */ (event.target);
  if (field.matches("[type=radio]")) return MOVING.test(event.key) && !byPointer;
  if (field.matches("[type=range]")) return MOVING.test(event.key);
  return field.matches("input:not([type=checkbox]), select, textarea");
}
