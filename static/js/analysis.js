// The analysis board: marks the computer's best move on the board; arrow keys step through the line.
import { isTyped } from "./dom.js";

const STEPS = { ArrowLeft: "prev", ArrowRight: "next", Home: "first", End: "last" };

document.addEventListener("htmx:after:swap", () => {
  document.querySelectorAll("#evaluation [data-thought]").forEach((thought, place) => {
    const cell = document.getElementById(`sq-${thought.dataset.thought}`);
    cell?.classList.toggle("sq-hinted", place === 0);
  });
});

document.addEventListener("keydown", (event) => {
  if (event.altKey || event.ctrlKey || event.metaKey || isTyped(event) || !(event.key in STEPS)) return;
  const link = document.querySelector(`.analysis a[rel=${STEPS[event.key]}]`);
  if (!link) return;
  event.preventDefault();
  link.click();
});
