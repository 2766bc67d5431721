// A board screen.
import "./opened.js";

/**
 * Brings an element of a pane into the middle of the pane; it never scrolls the page.
 * @param {Element | null} element
 */
export function reveal(element) {
  const pane = element?.closest(".screen-pane");
  if (!element || !pane) return;
  const place = element.getBoundingClientRect().top - pane.getBoundingClientRect().top;
  const chart = pane.querySelector(":scope > .chart")?.getBoundingClientRect().height ?? 0; // it stays
  if (place < chart || place > pane.clientHeight - 48)
    pane.scrollTop += place - (chart + pane.clientHeight) / 2;
}
