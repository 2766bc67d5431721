// Reloads a race's page at its end, which opens the boards.
import "./clock.js";
import { serverNow } from "./dom.js";

const LONGEST = 86_400_000; // milliseconds; the longest timer, since browsers' timers overflow

const clock = document.querySelector(".race .clock");
if (clock) {
  const rest = Number(clock.dataset.deadline) - serverNow();
  if (rest < LONGEST) setTimeout(() => location.reload(), rest + 1_000);
}
