// Reloads a race's page at its end, which opens the boards.
import "./clock.js";
import { serverNow } from "./dom.js";

const LONGEST = 86_400_000; // milliseconds; the longest timer, since browsers' timers overflow

let timer = 0;

function awaitEnd() {
  const clock = document.querySelector(".race .clock");
  const rest = clock ? Number(clock.dataset.deadline) - serverNow() : Infinity;
  if (!timer && rest < LONGEST) timer = setTimeout(() => location.reload(), rest + 1_000);
}

awaitEnd();
document.addEventListener("htmx-after-swap", awaitEnd); // which may have started it
