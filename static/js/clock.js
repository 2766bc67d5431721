// The clocks of a game or a race. They run by the server's time; this script only shows them.
import { say, text } from "./dom.js";
import { serverNow } from "./server_time.js";

const SAID_AT = [60, 30, 10]; // seconds left of the viewer's time that are announced to screen readers

let said = Infinity; // the last of them that was announced

let wholeDays = null; // the format of days, made when a clock shows some

function daysText(days) {
  const { lang } = document.documentElement;
  wholeDays ??= new Intl.NumberFormat(lang, { style: "unit", unit: "day", unitDisplay: "long" });
  return wholeDays.format(days);
}

const pair = (number) => String(number).padStart(2, "0");

function timeText(left) {
  const seconds = Math.floor(left / 1000);
  if (seconds < 10) return `0:0${(Math.floor(left / 100) / 10).toFixed(1)}`;
  const days = Math.floor(seconds / 86_400);
  const hours = Math.floor(seconds / 3_600) % 24;
  const minutes = Math.floor(seconds / 60) % 60;
  if (days && !hours) return daysText(days);
  if (days) return text("days_and_hours", { days, hours });
  return hours ? `${hours}:${pair(minutes)}:${pair(seconds % 60)}` : `${minutes}:${pair(seconds % 60)}`;
}

// The moment that a clock has reached that stands still from one moment until another.
function reached(now, stop) {
  if (!stop) return now;
  const [from, until] = stop.split(" ").map(Number);
  return now < from ? now : Math.max(from, now - (until - from));
}

// With byo-yomi, the main time or that of the period, and the periods left.
function byoyomiText(left, [count, length]) {
  const inMain = left > count * length;
  const periods = inMain ? count : Math.ceil(left / length);
  return `${timeText(left - (inMain ? count : Math.max(0, periods - 1)) * length)} ×${periods}`;
}

function tick() {
  const now = serverNow();
  for (const clock of document.querySelectorAll("main .clock")) {
    const { deadline, left: whileStopped, low, stop, periods } = clock.dataset;
    const left = deadline ? Math.max(0, Number(deadline) - reached(now, stop)) : Number(whileStopped);
    const shown = periods ? byoyomiText(left, periods.split(" ").map(Number)) : timeText(left);
    if (clock.textContent !== shown) clock.textContent = shown;
    clock.classList.toggle("clock-low", left < Number(low));
    if (clock.closest("[data-mine]")) warn(left, deadline !== undefined);
  }
  // The win can be claimed some time after the opponent has left.
  const claim = document.querySelector("#attendance form");
  if (claim) claim.hidden = now < Number(claim.dataset.claimAt);
}

function warn(left, isRunning) {
  const seconds = left / 1000;
  const threshold = SAID_AT.findLast((limit) => seconds <= limit) ?? Infinity;
  if (seconds > said) said = threshold; // an increment, a period or another move has given time
  if (!isRunning || threshold >= said) return;
  said = threshold;
  say(text("seconds_left", { seconds: threshold }));
}

document.addEventListener("htmx-after-swap", tick);
setInterval(tick, 100);
tick();
