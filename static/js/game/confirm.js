// Confirmed moves: one tap or click selects a square, a second one or the button plays there.
import { byId, text } from "../dom.js";

const BOARD = "#board, #lesson-board"; // of a game, or of a puzzle
const FINGER_SQUARE = 36; // pixels; a tap on anything smaller is confirmed by a second one

let picked = null; // name of the square that a first tap selected
let byFinger = false;

// By preference: confirm every move, none, or those made by touch on small squares.
function isConfirmed(button) {
  const wanted = document.documentElement.dataset.confirm;
  if (wanted) return wanted === "always";
  const isSmall = button.parentElement.getBoundingClientRect().width < FINGER_SQUARE;
  return isSmall && byFinger && matchMedia("(pointer: coarse)").matches;
}

export function unpick() {
  // The button is about to disappear: the focus goes to the square.
  if (byId("confirm").contains(document.activeElement)) byId(`sq-${picked}`)?.focus();
  picked = null;
  mark();
}

function mark() {
  const square = picked && byId(`sq-${picked}`);
  for (const cell of document.querySelectorAll(".sq-picked")) cell.classList.remove("sq-picked");
  const confirm = byId("confirm");
  confirm.hidden = !square;
  if (!square) return;
  square.classList.add("sq-picked");
  const button = confirm.firstElementChild;
  button.value = picked;
  button.textContent = text("play", { move: picked });
  const ahead = confirm.querySelector("a");
  if (ahead) ahead.search = `?moves=${picked}&from=${byId("version").dataset.ply}`;
}

document.addEventListener("pointerup", (event) => (byFinger = event.pointerType === "touch"), true);

document.addEventListener(
  "click",
  (event) => {
    const isOnBoard = event.target.closest?.(BOARD);
    const button = isOnBoard && event.target.closest("button[name=move]");
    if (!button && picked && isOnBoard) unpick();
    if (!button || button.value === picked || !isConfirmed(button)) return;
    event.preventDefault();
    event.stopPropagation();
    picked = button.value;
    mark();
  },
  true,
);

document.addEventListener("htmx-after-swap", mark);

// What was confirmed is on its way.
document.addEventListener("htmx-before-request", ({ detail: { ctx } }) => {
  if (ctx.sourceElement.matches("#move-form, #lesson-board")) unpick();
});
