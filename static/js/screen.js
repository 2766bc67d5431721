// A board screen.
import "./opened.js";

const BOXES = ".move-list, .analysis-tree, .screen-pane"; // that scroll
const ROOM = 48; // pixels for a move

/**
 * Brings a move into the middle of its list, and the list into its pane, below as much as possible of what is above it;
 * it never scrolls the page.
 * @param {Element | null | undefined} move
 */
export function reveal(move) {
  for (let box = move?.closest(BOXES); box; box = box.parentElement?.closest(BOXES)) {
    const place = move.getBoundingClientRect().top - box.getBoundingClientRect().top;
    const last = box.clientHeight - ROOM;
    if (place < 0 || place > last) box.scrollTop += place - (box.matches(".screen-pane") ? last : last / 2);
  }
}
