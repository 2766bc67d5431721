// Keys of the game page. Arrow keys move on the board if it has the focus, else through the game.
import { isTyped } from "../dom.js";
import { walk } from "./board.js";
import { step } from "./replay.js";

const STEPS = new Set(["ArrowLeft", "ArrowRight", "Home", "End"]);

let byPointer = false;

document.addEventListener("pointerdown", () => (byPointer = true), true);

document.addEventListener("keydown", (event) => {
  if (event.key === "Tab") byPointer = false;
  if (event.altKey || event.metaKey || event.defaultPrevented) return;
  const cell = event.target.closest('#board [role="gridcell"]');
  if (/^[a-z?]$/.test(event.key) && !isTyped(event) && !event.ctrlKey) {
    document.querySelector(`.game-tools [data-key="${event.key}"]`)?.click();
    return;
  }
  const isChoice = event.key === "Enter" || event.key === " ";
  if (cell && (isChoice || !byPointer)) {
    // A key that is held down would confirm the move that it has just selected.
    if (isChoice && event.repeat) event.preventDefault();
    else walk(event, cell);
    return;
  }
  if (event.key === "Escape") {
    for (const open of document.querySelectorAll(".game-tools details[open]")) open.open = false;
    return;
  }
  if (isTyped(event) || event.ctrlKey || event.shiftKey || !STEPS.has(event.key)) return;
  event.preventDefault();
  step(event.key);
});
