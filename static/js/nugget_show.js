// Boards of an entry: their moves are played one after the other, and again, until the reader stops them. After each
// board all blocks are turned over.
import { byId } from "./dom.js";

const PAUSE = 700; // milliseconds
const REST = 3500; // after the last move
const FORCES = "1234567ABCDEFGHIJKLMNOPQRSTU"; // clockwise from the top left

const figure = byId("nugget-show");
const button = byId("nugget-show-play");
const boards = figure.dataset.moves.split("; ").map((moves) => moves.split(" "));
const number = document.getElementById("nugget-show-board");
const start = [...figure.querySelectorAll(".tile")]; // block k is on square k
const forces = [...figure.querySelectorAll(".force")]; // in the order of FORCES
let tiles = start;
let board = 0;
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

// The small picture on a tile is of its hidden face.
function turnOver(tile) {
  const [up, down] = [tile.querySelector("i"), tile.querySelector("small")];
  const [shown, hidden] = [/tile-[a-z]{2,}/.exec(tile.className)[0], down.className];
  tile.className = tile.className.replace(shown, hidden);
  down.className = shown;
  [up.dataset.text, down.dataset.text] = [down.dataset.text, up.dataset.text];
}

function next() {
  const isLast = board + 1 === boards.length;
  // The first board shows the same face again: an odd number of boards is turned over an even number of times.
  if (!isLast || board % 2 === 1) tiles.forEach(turnOver);
  board = isLast ? 0 : board + 1;
  made = 0;
  if (isLast) tiles = start;
  if (number) number.textContent = board + 1;
  show();
}

function beat() {
  if (made === boards[board].length) next();
  else push(boards[board][made]);
  timer = setTimeout(beat, made === boards[board].length ? REST : PAUSE);
}

function play(isOn) {
  clearTimeout(timer);
  if (isOn) timer = setTimeout(beat, PAUSE);
  button.textContent = isOn ? button.dataset.stop : button.dataset.play;
  button.setAttribute("aria-pressed", String(isOn));
}

button.addEventListener("click", () => play(button.getAttribute("aria-pressed") !== "true"));
play(!matchMedia("(prefers-reduced-motion: reduce)").matches);
