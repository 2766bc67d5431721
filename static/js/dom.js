// @ts-check
// Shared by the pages' modules: elements, the log for screen readers, the server's clock.

/** @param {string} id @returns {any} */
export const byId = (id) => document.getElementById(id);

/**
 * Adds a line to the page's log, which screen readers read out.
 * @param {string} text
 */
export function say(text) {
  const line = document.createElement("p");
  line.textContent = text;
  byId("log").append(line);
}

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
