// A premove: a square chosen while the opponent thinks is played as soon as possible.
import { byId, text } from "../dom.js";
import "./board.js"; // it enables the squares before a premove is played
import { forget, remark } from "./remark.js";

const isOff = document.documentElement.dataset.premoves === "off";

let chosen = null; // name of the square
let chosenAt = 0; // the ply of the position in which it was chosen

const version = () => byId("version").dataset;
const ply = () => Number(version().ply);

/** Whether a click on the board now is a premove. */
export function isWaiting() {
  const { turn, status } = version();
  return !isOff && byId("game").dataset.role !== "spectator" && !turn && status === "started";
}

function mark() {
  for (const cell of document.querySelectorAll("#board .sq-premove")) cell.classList.remove("sq-premove");
  if (chosen) byId(`sq-${chosen}`)?.classList.add("sq-premove");
}

function choose(name) {
  chosen = name;
  chosenAt = ply();
  mark();
  remark("premove", name ? text("premove", { move: name }) : text("premove_cancelled"));
}

document.addEventListener("click", (event) => {
  const cell = event.target.closest?.('#board [role="gridcell"]');
  if (!cell || !isWaiting()) return;
  const name = cell.id.slice("sq-".length);
  choose(name === chosen ? null : name);
});

document.addEventListener("keydown", (event) => {
  if (event.key === "Escape" && chosen) choose(null);
});

document.addEventListener("htmx-after-swap", () => {
  mark();
  if (!chosen || (isWaiting() && ply() === chosenAt)) return;
  const name = chosen;
  chosen = null;
  mark();
  forget("premove");
  // It answers the next move only: not the position after a takeback, or one that was reached on another page while
  // this one had no connection.
  const isNext = version().turn && ply() === chosenAt + 1;
  const button = isNext && byId(`sq-${name}`)?.querySelector("button:enabled");
  if (button) button.form.requestSubmit(button);
  else remark("premove", text("premove_dropped", { move: name }));
});
