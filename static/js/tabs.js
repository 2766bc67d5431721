// Where tabs are a row that scrolls, brings the current one into view, and one that a key has moved to: browsers
// leave it where it is if enough of it is in view.
const show = (/** @type {HTMLElement} */ tab) => {
  const row = tab.parentElement;
  row.scrollLeft = tab.offsetLeft - (row.clientWidth - tab.offsetWidth) / 2;
};

for (const tab of document.querySelectorAll(".tabs > [aria-current]")) show(/** @type {any} */ (tab));
document.addEventListener("focusin", (/** @type {any} */ { target }) => {
  if (target.matches(".tabs > a:focus-visible")) show(target);
});
