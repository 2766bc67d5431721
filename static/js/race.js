// A race's page opens the boards as soon as the race is over.
import "./clock.js";
import { serverNow } from "./dom.js";

const LONGEST = 86_400_000; // milliseconds: nobody waits longer on one page, and a timer cannot count far

const clock = document.querySelector(".race .clock");
if (clock) {
  const rest = Number(clock.dataset.deadline) - serverNow();
  if (rest < LONGEST) setTimeout(() => location.reload(), rest + 1_000);
}
