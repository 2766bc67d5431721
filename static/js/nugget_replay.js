// Automatic replay: a move after each pause until the board is solved. Arrow keys step.
import { byId } from "./dom.js";
import { isBusy, stepInTurn } from "./in_turn.js";

stepInTurn();

const button = byId("replay-play");
let timer = 0;

const isPlaying = () => button.getAttribute("aria-pressed") === "true";

function step(rel) {
  byId("nugget-replay").querySelector(`a[rel=${rel}]`)?.click();
}
function stop() {
  clearTimeout(timer);
  button.textContent = button.dataset.play;
  button.setAttribute("aria-pressed", "false");
}
function beat() {
  const { at, moves } = byId("nugget-replay").dataset;
  if (Number(at) >= Number(moves)) stop();
  else step("next");
}
function pause() {
  clearTimeout(timer);
  timer = setTimeout(beat, Number(byId("replay-speed").value));
}
function start() {
  const { at, moves } = byId("nugget-replay").dataset;
  if (moves === "0") return;
  button.textContent = button.dataset.stop;
  button.setAttribute("aria-pressed", "true");
  if (at === moves) step("first");
  else pause();
}
button.addEventListener("click", () => (isPlaying() ? stop() : start()));
byId("replay-speed").addEventListener("change", () => isPlaying() && pause());
// Each pause begins when the last answer is shown, however long it takes.
document.addEventListener("htmx-before-request", () => clearTimeout(timer));
document.addEventListener("htmx-finally-request", () => isPlaying() && pause());
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey || event.target.matches("select, textarea")) return;
  const rel = { ArrowLeft: "prev", ArrowRight: "next", Home: "first", End: "last" }[event.key];
  if (!rel) return;
  event.preventDefault();
  if (event.repeat && isBusy()) return;
  stop();
  step(rel);
});
