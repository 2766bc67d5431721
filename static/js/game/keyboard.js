// Keys of the game page. Arrow keys move on the board if it has the focus, else through the game.
import { byId, isTyped } from "../dom.js";
import { walk } from "./board.js";
import { step, stepBy } from "./replay.js";

const STEPS = new Set(["ArrowLeft", "ArrowRight", "Home", "End"]);

let byPointer = false;

document.addEventListener("pointerdown", () => (byPointer = true), true);

// A tab that a key opens leads to the field in its pane.
function press(target, event) {
  if (!target) return;
  event.preventDefault();
  target.click();
  if (target.name === "pane") (byId(target.value).querySelector("[name=text]") ?? target).focus();
}

const ROWS = { ArrowUp: -2, ArrowDown: 2 }; // of the list of moves, in moves

document.addEventListener("keydown", (event) => {
  if (event.key === "Tab") byPointer = false;
  if (event.altKey || event.metaKey || event.defaultPrevented) return;
  const cell = event.target.closest('#board [role="gridcell"]');
  if (/^[a-z?]$/.test(event.key) && !isTyped(event) && !event.ctrlKey) {
    press(document.querySelector(`.screen [data-key="${event.key}"]`), event);
    return;
  }
  const isChoice = event.key === "Enter" || event.key === " ";
  if (cell && (isChoice || !byPointer)) {
    // A key that is held down would confirm the move that it has just selected.
    if (isChoice && event.repeat) event.preventDefault();
    else walk(event, cell);
    return;
  }
  if (event.key in ROWS && event.target.closest("#move-list")) {
    event.preventDefault();
    stepBy(ROWS[event.key]);
    return;
  }
  if (isTyped(event) || event.ctrlKey || event.shiftKey || !STEPS.has(event.key)) return;
  event.preventDefault();
  step(event.key);
});
