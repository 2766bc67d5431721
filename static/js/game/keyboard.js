// Keys of the game page. Arrow keys move on the board if it has the focus; else up and down lead to it, and left and
// right through the game.
import { byId, isByPointer, isTyped } from "../dom.js";
import { closeOpened, enterOpened } from "../opened.js";
import { enter, walk } from "./board.js";
import { step, stepBy } from "./replay.js";

const STEPS = new Set(["ArrowLeft", "ArrowRight", "Home", "End"]);

// A tab that a key opens leads to its pane, or to the field or the keys in it; a question to its answer, or back.
function press(target, event) {
  if (!target) return;
  event.preventDefault();
  const asked = target.closest(".ask");
  if (asked?.open) return closeOpened(asked);
  const origin = document.activeElement;
  target.click();
  if (asked) enterOpened(asked, origin);
  if (target.name !== "pane") return;
  const pane = byId(target.value);
  (pane.querySelector("[name=text]") ?? pane).focus();
  pane.querySelector(".help-keys")?.scrollIntoView({ block: "nearest" });
}

const ROWS = { ArrowUp: -2, ArrowDown: 2 }; // of the list of moves, in moves

document.addEventListener("keydown", (event) => {
  if (event.altKey || event.metaKey || event.defaultPrevented) return;
  const cell = event.target.closest('#board [role="gridcell"]');
  if (/^[a-z?]$/.test(event.key) && !isTyped(event) && !event.ctrlKey) {
    press(document.querySelector(`.screen [data-key="${event.key}"]`), event);
    return;
  }
  const isChoice = event.key === "Enter" || event.key === " ";
  if (cell && (isChoice || !isByPointer())) {
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
  if (isTyped(event) || event.ctrlKey || event.shiftKey) return;
  const isEntering = event.key in ROWS && event.target === document.body;
  if (!isEntering && !STEPS.has(event.key)) return;
  event.preventDefault();
  if (isEntering) enter();
  else step(event.key);
});
