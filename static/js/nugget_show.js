// The leader's first board: its moves are played one after the other, and again, until the reader stops them.
import { byId } from "./dom.js";

const PAUSE = 700; // milliseconds
const REST = 3500; // after the last move
const FORCES = "1234567ABCDEFGHIJKLMNOPQRSTU"; // clockwise from the top left

const figure = byId("nugget-show");
const button = byId("nugget-show-play");
const moves = figure.dataset.moves.split(" ");
const start = [...figure.querySelectorAll(".tile")]; // block k is on square k
const forces = [...figure.querySelectorAll(".force")]; // in the order of FORCES
let tiles = start;
let made = 0;
let timer = 0;

const side = [...Array(7).keys()];
const rows = side.map((row) => side.map((column) => 7 * row + column));
const columns = side.map((column) => rows.map((row) => row[column]));
const backwards = (all) => all.map((line) => line.toReversed());
const lines = [...columns, ...backwards(rows), ...backwards(columns).toReversed(), ...rows.toReversed()];

function show(force = -1) {
  tiles.forEach((tile, square) => {
    const place = `tile-x${square % 7} tile-y${Math.floor(square / 7)}`;
    tile.className = tile.className.replace(/tile-x. tile-y./, place);
  });
  forces.forEach((each, at) => each.classList.toggle("force-now", at === force));
}

// The block on the last square of the line goes on the first one, and those before it slide away.
function push([name, lifted]) {
  const force = FORCES.indexOf(name);
  const line = lines[force].slice(0, Number(lifted));
  const before = line.map((square) => tiles[square]);
  tiles = [...tiles];
  line.forEach((square, at) => (tiles[square] = before.at(at - 1)));
  made += 1;
  show(force);
}

function beat() {
  if (made === moves.length) {
    made = 0;
    tiles = start;
    show();
  } else push(moves[made]);
  timer = setTimeout(beat, made === moves.length ? REST : PAUSE);
}

function play(isOn) {
  clearTimeout(timer);
  if (isOn) timer = setTimeout(beat, PAUSE);
  button.textContent = isOn ? button.dataset.stop : button.dataset.play;
  button.setAttribute("aria-pressed", String(isOn));
}

button.addEventListener("click", () => play(button.getAttribute("aria-pressed") !== "true"));
play(!matchMedia("(prefers-reduced-motion: reduce)").matches);
