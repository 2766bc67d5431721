// @ts-check
// A wooden tap for each move and a lower one at the end, if the viewer has turned sounds on.
import { byId } from "../dom.js";

let context = null;
let ply = null;
let over = null;

function tap(pitch) {
  context ??= new AudioContext();
  const at = context.currentTime;
  const tone = context.createOscillator();
  const volume = context.createGain();
  tone.type = "triangle";
  tone.frequency.setValueAtTime(pitch, at);
  tone.frequency.exponentialRampToValueAtTime(pitch / 2, at + 0.08);
  volume.gain.setValueAtTime(0.25, at);
  volume.gain.exponentialRampToValueAtTime(0.001, at + 0.12);
  tone.connect(volume).connect(context.destination);
  tone.start(at);
  tone.stop(at + 0.13);
}

function listen() {
  const state = byId("version").dataset;
  const isOver = state.status !== "started";
  if (ply !== null && isOver && !over) tap(220);
  else if (ply !== null && state.ply !== ply) tap(440);
  ply = state.ply;
  over = isOver;
}

if (document.documentElement.dataset.sounds === "on") {
  document.addEventListener("htmx:after:swap", listen);
  listen();
}
