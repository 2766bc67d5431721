// A tap or a short vibration for each move and another one at the end, if the viewer has turned them on. Sounds are
// offered to whoever has not chosen yet.
import { byId } from "../dom.js";
import { tap } from "../sound.js";
import { forget, remark } from "./remark.js";

const chosen = document.documentElement.dataset;
const offer = byId("sounds")?.content.firstElementChild;

let ply = null;
let over = null;

function signal(pitch, milliseconds) {
  if (chosen.sounds === "on") tap(pitch, chosen.volume);
  if (chosen.vibration === "on") navigator.vibrate?.(milliseconds);
}

function listen() {
  const state = byId("version").dataset;
  const isOver = state.status !== "started";
  if (ply !== null && isOver && !over) signal(220, 80);
  else if (ply !== null && state.ply !== ply) signal(440, 25);
  ply = state.ply;
  over = isOver;
  // Both have made their first moves, for which the clock shows another time.
  const isEmpty = !byId("remark").hasChildNodes();
  if (offer && isEmpty && ply >= 2 && !isOver && !chosen.sounds) remark("sounds", offer);
}

function choose({ target: { value } }) {
  if (!value) return;
  chosen.sounds = value;
  const body = new URLSearchParams({ once: `${chosen.account}.`, sounds: value });
  fetch("/account/preferences", { method: "POST", body, redirect: "manual" });
  forget("sounds");
  signal(440, 25);
}

offer?.addEventListener("click", choose);
document.addEventListener("htmx-after-swap", listen);
listen();
