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

/**
 * Whether a key was pressed in a field that takes text.
 * @param {KeyboardEvent} event
 */
export function isTyped(event) {
  return /** @type {Element} */ (event.target).matches("input:not([type=checkbox]), select, textarea");
}
