// The analysis board and reviews: keys step through the moves; the computer's lines are as many as wished.
import { byId, isTyped } from "./dom.js";
import { reveal } from "./screen.js";
import "./squares.js";
import { isBusy, stepInTurn, takeTurns } from "./in_turn.js";
import { browser, tab } from "./storage.js";

const STEPS = {
  ArrowLeft: "prev",
  ArrowRight: "next",
  Home: "first",
  End: "last",
  ArrowUp: "above",
  ArrowDown: "below",
};
const SOURCE = "explorer-source"; // in the storage of the tab
const LINES = "analysis-lines"; // how many lines were wished, in the browser's storage
const TERRITORY = "analysis-territory"; // whether it is shown, also there
const PAUSE = 1_000; // milliseconds between questions to the computer, so none is about a position in passing

let askedAt = -PAUSE;
let timer = 0;

takeTurns("#analysis");
stepInTurn();

function wished() {
  const stored = Number(browser.recall(LINES) ?? 3);
  return stored >= 0 && stored <= 5 ? stored : 3;
}

// What is above the moves has its height before these are scrolled.
function settle() {
  explore();
  if (byId("lines")) showLines(byId("lines"));
  reveal(document.querySelector(".screen-pane [aria-current]"));
}

// Shows as many lines as wished, and asks the computer about a position that has just appeared.
function showLines(lines) {
  lines.value = String(wished());
  for (const line of document.querySelectorAll("[data-rank]")) {
    line.toggleAttribute("hidden", Number(line.dataset.rank) > wished());
  }
  show(document.querySelector("[data-pointed]")?.dataset.rank ?? "1");
  byId("ghosts").hidden = byId("evaluation").hidden = wished() === 0;
  if (byId("show-territory")) byId("show-territory").checked = browser.recall(TERRITORY) !== null;
  clearTimeout(timer);
  timer = setTimeout(ask, askedAt + PAUSE - performance.now());
}

function ask() {
  const form = byId("ask");
  if (wished() === 0 || !form || form.dataset.asked) return;
  form.dataset.asked = "yes";
  askedAt = performance.now();
  form.requestSubmit();
}

// Whose games the explorer looks at, from one position to the next.
function explore() {
  const form = byId("explore");
  if (!form || form.dataset.asked) return;
  form.dataset.asked = "yes";
  const chosen = JSON.parse(tab.recall(SOURCE) ?? "{}");
  for (const [name, value] of Object.entries(chosen)) {
    if (form.elements[name]) form.elements[name].value = value;
  }
  form.requestSubmit();
}

document.addEventListener("submit", (event) => {
  if (event.target.id !== "explore") return;
  const { mine, above, player } = event.target.elements;
  const chosen = { mine: mine?.value ?? "", above: above.value, player: player.value };
  tab.keep(SOURCE, JSON.stringify(chosen));
});

function press(name) {
  const step = document.querySelector(
    `.screen :is(a[rel=${name}], [data-step=${name}]):not([aria-disabled])`,
  );
  step?.click();
  return Boolean(step);
}

// Shows the line of a rank on the board. Where it has a move, there is no room for the values of other moves.
function show(rank) {
  const taken = new Set();
  for (const line of document.querySelectorAll("[data-line]")) {
    line.toggleAttribute("hidden", line.dataset.line !== rank);
    if (line.dataset.line !== rank) continue;
    for (const move of line.children) taken.add(move.getAttribute("transform"));
  }
  for (const value of document.querySelectorAll(".ghost-value")) {
    const isTaken = taken.has(value.firstElementChild.getAttribute("transform"));
    value.classList.toggle("ghost-hidden", value.dataset.rank !== rank && isTaken);
  }
}

// The line that was pointed at last is on the board.
function point(event) {
  const pointed = event.target.closest?.("li[data-rank]");
  if (!pointed) return;
  document.querySelector("[data-pointed]")?.removeAttribute("data-pointed");
  pointed.dataset.pointed = "";
  show(pointed.dataset.rank);
}

for (const kind of ["pointerover", "focusin", "click"]) document.addEventListener(kind, point);

document.addEventListener("change", ({ target: { id, value, checked } }) => {
  if (id === "show-territory") browser.keep(TERRITORY, checked ? "" : null);
  if (id !== "lines") return;
  browser.keep(LINES, value);
  settle();
});

document.addEventListener("keydown", (event) => {
  if (event.altKey || event.ctrlKey || event.metaKey || isTyped(event)) return;
  if (event.repeat && isBusy()) return;
  const done =
    event.key in STEPS
      ? press(STEPS[event.key])
      : document.querySelector(`.screen [data-key="${CSS.escape(event.key)}"]`)?.click() !== undefined;
  if (done) event.preventDefault();
});

// A move that was typed and played is cleared; one that is being typed stays while other answers come.
document.addEventListener("htmx-after-swap", (event) => {
  const typed = byId("type");
  if (typed && event.detail.ctx.sourceElement?.contains(typed)) typed.value = "";
  settle();
});
addEventListener("load", settle);
