// A tap or a short vibration for each move and another one at the end, if the viewer has turned them on.
import { byId } from "../dom.js";
import { tap } from "../sound.js";

const { sounds, volume, vibration } = document.documentElement.dataset;

let ply = null;
let over = null;

function signal(pitch, milliseconds) {
  if (sounds === "on") tap(pitch, volume);
  if (vibration === "on") navigator.vibrate?.(milliseconds);
}

function listen() {
  const state = byId("version").dataset;
  const isOver = state.status !== "started";
  if (ply !== null && isOver && !over) signal(220, 80);
  else if (ply !== null && state.ply !== ply) signal(440, 25);
  ply = state.ply;
  over = isOver;
}

if (sounds === "on" || vibration === "on") {
  document.addEventListener("htmx-after-swap", listen);
  listen();
}
