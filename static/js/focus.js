// Keeps the focus near its place when an update removes the element that has it, such as a button that was pressed.
import { byId } from "./dom.js";

const PLACES = "details, section[aria-label], section[aria-labelledby], main";

/** @type {Element[]} */
let path = []; // the element that had the focus before the update, and those around it

/** Notes where the focus is. */
export function noteFocus() {
  path = [];
  for (let at = document.activeElement; at && at !== document.body; at = at.parentElement) path.push(at);
}

/** Moves the focus that was lost since it was noted to the nearest place that is left. */
export function recoverFocus() {
  if (!path.length) return;
  for (const place of [...path, byId("main")].filter((element) => element.matches(PLACES))) {
    if (document.activeElement !== document.body) return;
    enter(place);
  }
}

// Sections take the focus only now: a click on the text of one would move the focus, too.
function enter(place) {
  const target = place.matches("details") ? place.querySelector("summary") : place;
  if (target.tabIndex < 0 && !target.hasAttribute("tabindex")) {
    target.tabIndex = -1;
    target.addEventListener("blur", () => target.removeAttribute("tabindex"), { once: true });
  }
  target.focus({ preventScroll: true });
}

// The first to know: other modules remove elements, too.
document.addEventListener("htmx-before-swap", noteFocus, { capture: true });
document.addEventListener("htmx-after-swap", recoverFocus);
