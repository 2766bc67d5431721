// The board: one tab stop, arrow keys between squares, and the hinted square.
import { ARROWS, byId } from "../dom.js";

let here = null; // id of the square that is the board's tab stop

const grid = () => byId("board").querySelector('[role="grid"]');
const cells = () => [...grid().querySelectorAll('[role="gridcell"]')];

// Returns the playable square that is nearest to the middle; any square if none may be played on.
function nearMiddle(all) {
  const size = Math.sqrt(all.length);
  const middle = (size - 1) / 2;
  const away = all.map((cell, index) =>
    cell.querySelector("button")
      ? Math.hypot(Math.floor(index / size) - middle, (index % size) - middle)
      : Infinity,
  );
  return all[away.indexOf(Math.min(...away))];
}

function settle() {
  const all = cells();
  byId("squares").closest("fieldset").disabled = !byId("version").dataset.turn;
  if (!all.some((cell) => cell.id === here)) {
    here = (grid().querySelector(".sq-last") ?? nearMiddle(all)).id;
  }
  const hinted = document.querySelector("#hint [data-hint]")?.dataset.hint;
  for (const cell of all) {
    cell.classList.toggle("sq-hinted", cell.id === `sq-${hinted}`);
    cell.tabIndex = cell.id === here ? 0 : -1;
    const button = cell.querySelector("button");
    if (button) button.tabIndex = -1;
  }
}

function goTo(cell) {
  byId(here).tabIndex = -1;
  here = cell.id;
  cell.tabIndex = 0;
  cell.focus();
}

/** Goes to the square that is the board's tab stop. */
export const enter = () => byId(here).focus();

// Moves from a square by an arrow key, Home or End; Enter and the space bar play on it.
export function walk(event, cell) {
  const row = [...cell.parentElement.querySelectorAll('[role="gridcell"]')];
  const rows = [...grid().children];
  let column = row.indexOf(cell);
  let line = rows.indexOf(cell.parentElement);
  if (event.key in ARROWS) {
    const direction = byId("game").classList.contains("game-flipped") ? -1 : 1;
    column += ARROWS[event.key][0] * direction;
    line += ARROWS[event.key][1] * direction;
  } else if (event.key === "Home" || event.key === "End") {
    column = event.key === "Home" ? 0 : row.length - 1;
    if (event.ctrlKey) line = event.key === "Home" ? 0 : rows.length - 1;
  } else if (event.key === "Enter" || event.key === " ") {
    (cell.querySelector("button:enabled") ?? cell).click();
  } else {
    return;
  }
  event.preventDefault();
  const next = rows[line]?.querySelectorAll('[role="gridcell"]')[column];
  if (next && next !== cell) goTo(next);
}

document.addEventListener("focusin", (event) => {
  // Focus the square rather than its button, which disappears at the end of the turn.
  const cell = event.target.closest?.('#board [role="gridcell"]');
  if (cell && (cell.id !== here || event.target !== cell)) goTo(cell);
});

document.addEventListener("htmx-after-swap", settle);
settle();
