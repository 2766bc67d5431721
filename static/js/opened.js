// What opens over a page, such as a question, is closed by a button in it, by Escape, by sending it, and by a click
// beside it.
const OPEN = ".ask[open], .screen-bar details[open]";

function close(/** @type {any} */ details) {
  const hadFocus = details.contains(document.activeElement);
  details.open = false;
  if (hadFocus) details.querySelector("summary").focus();
}

document.addEventListener("click", ({ target }) => {
  if (target.closest("[data-close]")) close(target.closest("details"));
  for (const details of document.querySelectorAll(OPEN)) if (!details.contains(target)) close(details);
});

document.addEventListener("keydown", (event) => {
  if (event.key === "Escape") for (const details of document.querySelectorAll(OPEN)) close(details);
});

// A menu is closed by each of its buttons; a question about the move stays until the board answers.
document.addEventListener("submit", ({ target, submitter }) => {
  for (const details of document.querySelectorAll(OPEN)) {
    const sent = details.matches(".ask") ? target : (submitter ?? target);
    if (details.contains(sent)) close(details);
  }
});
