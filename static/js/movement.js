// What has just happened on a board is shown by moving: the last move, and at the end the territory, area by area.
import { numberOf } from "./dom.js";

const COUNT = 1_600; // milliseconds that counting the larger territory takes at most
const TURN = 60; // and each square

const seen = new WeakMap(); // board -> how much was on it, and whether its territory was marked

/** Marks a board for as long as it moves. */
async function show(board, mark) {
  board.dataset[mark] = "";
  await Promise.allSettled(board.getAnimations({ subtree: true }).map(({ finished }) => finished));
  delete board.dataset[mark];
}

function neighbours(square) {
  const row = square.parentElement;
  const place = [...row.children].indexOf(square);
  const beyond = [row.previousElementSibling, row.nextElementSibling].map((other) => other?.children[place]);
  return [square.previousElementSibling, square.nextElementSibling, ...beyond];
}

/** Returns squares area by area, as one counts them. */
function byArea(squares) {
  const left = new Set(squares);
  const counted = [];
  for (const first of left) {
    left.delete(first);
    const area = [first];
    for (const square of area) area.push(...neighbours(square).filter((next) => left.delete(next)));
    counted.push(...area);
  }
  return counted;
}

/** Counts a score up to what it is, a point each turn, for as long as the board is counted. */
function countUp(board, figure, points, turn) {
  const score = figure.textContent.trim();
  const rest = numberOf(score) - points;
  const written = (value) => `${value}`.replace(".", score.includes(",") ? "," : ".").replace("-", "\u2212");
  const start = performance.now();
  const step = (now) => {
    // A frame is told the moment at which it began, which may be before the start.
    const counted = Math.min(points, Math.floor(Math.max(0, now - start) / turn) + 1);
    const isOver = board.dataset.counted === undefined || counted === points;
    figure.textContent = isOver ? score : written(rest + counted);
    if (!isOver) requestAnimationFrame(step);
  };
  step(start);
}

function count(board, territories) {
  const turn = Math.min(TURN, COUNT / Math.max(...Object.values(territories).map(({ length }) => length)));
  for (const squares of Object.values(territories)) {
    for (const [place, square] of byArea(squares).entries())
      square.style.setProperty("--turn", `${place * turn}ms`);
  }
  show(board, "counted");
  for (const [side, { length }] of Object.entries(territories))
    countUp(board, document.querySelector(`.seat-${side} .seat-figure`), length, turn);
}

function look() {
  for (const board of document.querySelectorAll(".board")) {
    const [black, white] = ["black", "white"].map((side) => board.querySelectorAll(`.sq-${side}-point`));
    const before = seen.get(board);
    const now = { filled: Number(board.dataset.filled), isOver: black.length + white.length > 0 };
    seen.set(board, now);
    if (before && now.filled > before.filled) show(board, "moved");
    if (before && now.isOver && !before.isOver && board.closest("#game")) count(board, { black, white });
  }
}

// Whoever does not want to wait need not.
for (const kind of ["pointerdown", "keydown"]) {
  addEventListener(kind, () => {
    for (const board of document.querySelectorAll("[data-counted]")) delete board.dataset.counted;
  });
}
document.addEventListener("htmx-after-swap", look);
look();
