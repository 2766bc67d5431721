// Automatic replay: a move at regular intervals until the board is solved. Arrow keys step.
import { byId } from "./dom.js";

const button = byId("replay-play");
let timer = null;

function step(rel) {
  byId("nugget-replay").querySelector(`a[rel=${rel}]`)?.click();
}
function stop() {
  clearInterval(timer);
  timer = null;
  button.textContent = button.dataset.play;
  button.setAttribute("aria-pressed", "false");
}
function beat() {
  const { at, moves } = byId("nugget-replay").dataset;
  if (Number(at) >= Number(moves)) stop();
  else step("next");
}
function start() {
  const { at, moves } = byId("nugget-replay").dataset;
  if (at === moves) step("first");
  timer = setInterval(beat, Number(byId("replay-speed").value));
  button.textContent = button.dataset.stop;
  button.setAttribute("aria-pressed", "true");
}
button.addEventListener("click", () => (timer ? stop() : start()));
byId("replay-speed").addEventListener("change", () => {
  if (!timer) return;
  stop();
  start();
});
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey || event.target.matches("select, textarea")) return;
  const rel = { ArrowLeft: "prev", ArrowRight: "next", Home: "first", End: "last" }[event.key];
  if (!rel) return;
  event.preventDefault();
  stop();
  step(rel);
});
