// Shared by the pages' modules: elements, the log for screen readers, the server's clock.

/** @param {string} id @returns {any} */
export const byId = (id) => document.getElementById(id);

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

let latest = ""; // the latest server time, as text
let ahead = 0; // milliseconds by which the server's clock is ahead of this one

/** The server's time in milliseconds since the epoch, which each update has in #now. */
export function serverNow() {
  const { now } = byId("now").dataset;
  if (now !== latest) {
    latest = now;
    ahead = Number(now) - Date.now();
  }
  return Date.now() + ahead;
}

let byPointer = false;
addEventListener("pointerdown", () => (byPointer = true), true);
addEventListener("keydown", ({ key }) => (byPointer &&= key !== "Tab"), true);

/** Whether the page's focus was set with a pointer and not moved by Tab since. */
export const isByPointer = () => byPointer;

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
