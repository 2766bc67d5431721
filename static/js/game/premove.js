// Premoves: squares chosen while the opponent thinks are played one after the other, each as soon as it is possible.
import { byId, isTyped, text } from "../dom.js";
import "./board.js"; // it enables the squares before a premove is played
import { remark } from "./remark.js";

const isOff = document.documentElement.dataset.premoves === "off";

/** @type {string[]} */
let queue = []; // names of squares
let due = 0; // the ply of the position in which the first of them is played
let isSending = false; // whether a move is on its way

const version = () => byId("version").dataset;
const ply = () => Number(version().ply);

/** Whether a click on the board now is a premove. */
export function isWaiting() {
  const { turn, status } = version();
  return !isOff && byId("game").dataset.role !== "spectator" && !turn && status === "started";
}

function mark() {
  for (const cell of document.querySelectorAll("#board .sq-premove")) {
    cell.classList.remove("sq-premove");
    delete cell.dataset.premove;
    cell.ariaDescription = null;
  }
  for (const [place, name] of queue.entries()) {
    const cell = byId(`sq-${name}`);
    cell.classList.add("sq-premove");
    cell.dataset.premove = place + 1;
    cell.ariaDescription = text("premove_number", { number: place + 1 });
  }
  const choices = byId("premoves");
  if (!queue.length && choices.contains(document.activeElement))
    byId("board").querySelector('[tabindex="0"]').focus();
  choices.hidden = !queue.length;
}

function show() {
  mark();
  const moves = queue.map((name, place) => `${place + 1}. ${name}`).join(", ");
  if (queue.length > 1) remark("premove", text("premoves", { moves }));
  else if (queue.length) remark("premove", text("premove", { move: queue[0] }));
  else remark("premove", text("premove_cancelled"));
}

function toggle(name) {
  if (!queue.length) due = ply() + 1;
  if (queue.includes(name)) queue = queue.filter((other) => other !== name);
  else queue.push(name);
  show();
}

const TAKE_BACK = { last: () => queue.slice(0, -1), all: () => [] };

function takeBack(what) {
  if (!queue.length) return;
  queue = TAKE_BACK[what]();
  show();
}

document.addEventListener("click", (event) => {
  const choice = event.target.closest?.("#premoves button");
  if (choice) takeBack(choice.value);
  const cell = event.target.closest?.('#board [role="gridcell"]');
  if (cell && isWaiting()) toggle(cell.id.slice("sq-".length));
});

document.addEventListener("keydown", (event) => {
  if (isTyped(event)) return;
  if (event.key === "Escape") takeBack("all");
  if (event.key === "Backspace") takeBack("last");
});

function drop() {
  const [move, ...rest] = queue;
  queue = [];
  mark();
  // A coach's warning stays, and a game that is over says how it ended.
  if (version().status !== "started" || document.querySelector("#remark [data-warning]")) return;
  remark(
    "premove",
    text(rest.length ? "premoves_dropped" : "premove_dropped", { move, rest: rest.join(", ") }),
  );
}

// They answer the moves that this page sees: not a position after a takeback, or one that was reached on another page
// while this one had no connection.
function follow() {
  mark();
  if (!queue.length) return;
  const isMine = Boolean(version().turn);
  if (isSending ? ply() >= due - 2 : isWaiting() && ply() === due - 1) return;
  const button = isMine && ply() === due && byId(`sq-${queue[0]}`)?.querySelector("button:enabled");
  if (!button) {
    drop();
    return;
  }
  queue.shift();
  due += 2;
  mark();
  button.form.requestSubmit(button);
}

document.addEventListener("htmx-after-swap", follow);
document.addEventListener("htmx-before-request", ({ detail: { ctx } }) => {
  if (ctx.sourceElement.id === "move-form") isSending = true;
});
document.addEventListener("htmx-finally-request", ({ detail: { ctx } }) => {
  if (ctx.sourceElement.id !== "move-form") return;
  isSending = false;
  // The form sends nothing more before this event is over.
  setTimeout(follow);
});
