// What opens over a page, such as a question, is closed by a button in it, by Escape, by sending it, and by a click
// beside it.
const OPEN = ".ask[open], .screen-bar details[open]";

/** @type {WeakMap<Element, any>} */
const origins = new WeakMap(); // where the focus was before a key opened a question

/** Closes what is open; the focus goes to where it came from. */
export function closeOpened(/** @type {any} */ details) {
  const origin = origins.get(details);
  const focused = document.activeElement;
  const hadFocus = details.contains(focused);
  details.open = false;
  origins.delete(details);
  if (!hadFocus) return;
  if (origin?.isConnected) focused.blur(); // whoever was nowhere is there again
  (origin?.isConnected ? origin : details.querySelector("summary")).focus();
}

/** Moves the focus into a question that a key has opened. */
export function enterOpened(/** @type {any} */ details, /** @type {Element} */ origin) {
  origins.set(details, origin);
  details.querySelector("button").focus();
}

document.addEventListener("click", ({ target }) => {
  if (target.closest("[data-close]")) closeOpened(target.closest("details"));
  for (const details of document.querySelectorAll(OPEN)) if (!details.contains(target)) closeOpened(details);
});

// Escape closes what is open, and does nothing else then.
document.addEventListener(
  "keydown",
  (event) => {
    if (event.key !== "Escape") return;
    const opened = document.querySelectorAll(`${OPEN}, #alerts[open]`);
    for (const details of opened) closeOpened(details);
    if (opened.length) event.stopImmediatePropagation();
  },
  { capture: true },
);

// A menu is closed by each of its buttons; a question about the move stays until the board answers.
document.addEventListener("submit", ({ target, submitter }) => {
  for (const details of document.querySelectorAll(OPEN)) {
    const sent = details.matches(".ask") ? target : (submitter ?? target);
    if (details.contains(sent)) closeOpened(details);
  }
});
