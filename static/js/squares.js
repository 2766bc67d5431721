// Boards outside of live games: the squares that may be played on are one tab stop, with arrow keys between them.
import { ARROWS } from "./dom.js";
import { tab } from "./storage.js";

const SQUARES = ".screen .board-squares button:enabled";
const PLACE = "place-on-board"; // in the storage of the tab, from one page to the next

let place = null; // where the tab stop is, or was last, in pixels from the corner of the board
let byPointer = false;
let isPlayed = false; // whether the last that was pressed was a square, by a key

const squares = () => [...document.querySelectorAll(SQUARES)];
const isSquare = (target) => target?.matches?.(SQUARES) ?? false;

const boardOf = (square) => square.closest(".board-squares").getBoundingClientRect();

function placeOf(square, board = boardOf(square)) {
  const { left, top, width, height } = square.getBoundingClientRect();
  return [left + width / 2 - board.left, top + height / 2 - board.top];
}

// Returns the square of the least cost, given a function of how far it is to the right and down; none if all are
// infinite.
function best(all, [x, y], cost) {
  const board = boardOf(all[0]);
  let found = null;
  let least = Infinity;
  for (const square of all) {
    const [right, down] = placeOf(square, board);
    const its = cost(right - x, down - y);
    if (its < least) [found, least] = [square, its];
  }
  return found;
}

function stopAt(stop) {
  for (const square of squares()) {
    const index = square === stop ? "0" : "-1";
    if (square.getAttribute("tabindex") !== index) square.setAttribute("tabindex", index);
  }
}

// Returns the tab stop: what it was, or the square nearest to that, at first one in the middle. Only the second needs
// a layout, which takes long while a page loads.
function settle() {
  const all = squares();
  if (!all.length) return null;
  const last = all.find((square) => square.getAttribute("tabindex") === "0");
  const stop = last ?? (place ? best(all, place, Math.hypot) : all[all.length >> 1]);
  stopAt(stop);
  return stop;
}

document.addEventListener("focusin", ({ target }) => {
  if (!isSquare(target)) return;
  place = placeOf(target);
  stopAt(target);
});

function walk(event) {
  byPointer = isPlayed = false;
  const { key, target, altKey, ctrlKey, metaKey } = event;
  if (!(key in ARROWS) || altKey || ctrlKey || metaKey || !isSquare(target)) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  const [dx, dy] = ARROWS[key];
  const next = best(squares(), placeOf(target), (right, down) => {
    const along = right * dx + down * dy;
    return along > 1 ? along + 3 * Math.abs(right * dy + down * dx) : Infinity;
  });
  next?.focus();
}

// Before the handlers for which arrow keys are steps through the moves.
document.addEventListener("keydown", walk, { capture: true });

function point() {
  byPointer = true;
  isPlayed = false;
}

document.addEventListener("pointerdown", point, { capture: true });

document.addEventListener("submit", ({ submitter }) => {
  if (byPointer || !isSquare(submitter)) return; // scripts submit other forms meanwhile
  isPlayed = true;
  place = placeOf(submitter); // screen readers press buttons that have no focus
  stopAt(submitter);
});

// The focus stays on the board, whatever is answered before the move, unless that has led it to a button.
function stay() {
  const stop = settle();
  if (isPlayed && !document.activeElement?.matches("a, button, input")) stop?.focus({ preventScroll: true });
}

document.addEventListener("htmx-after-swap", stay);
addEventListener("pagehide", () => tab.keep(PLACE, isPlayed ? place.join(" ") : null));

const before = tab.recall(PLACE);
tab.keep(PLACE, null);
if (before) [place, isPlayed] = [before.split(" ").map(Number), true];
stay();
