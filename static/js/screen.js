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
  if (place < 0 || place > pane.clientHeight - 48) pane.scrollTop += place - pane.clientHeight / 2;
}
