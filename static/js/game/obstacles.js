// Why a square is closed: a click on it, or the focus staying there, asks the server.
import { byId } from "../dom.js";
import { isWaiting } from "./premove.js";
import { claim, forget } from "./remark.js";

const STAY = 350; // milliseconds that the focus has to stay on a square
const MARKS = ["sq-asked", "sq-own", "sq-opposing"];

let asked = null; // the square, and the version for which it was asked
let timer = 0;

const isClosed = (cell) =>
  byId("version").dataset.status === "started" && !isWaiting() && !cell.querySelector("button");

function unmark() {
  for (const cell of document.querySelectorAll(MARKS.map((name) => `#board .${name}`).join())) {
    cell.classList.remove(...MARKS);
  }
}

function mark() {
  unmark();
  const answer = document.querySelector("#remark [data-square]");
  if (!answer) return;
  claim("obstacles");
  const { square, own, opposing } = answer.dataset;
  for (const [names, kind] of [
    [square, "sq-asked"],
    [own, "sq-own"],
    [opposing, "sq-opposing"],
  ]) {
    for (const name of names.split(" ").filter(Boolean)) byId(`sq-${name}`)?.classList.add(kind);
  }
}

function drop() {
  asked = null;
  forget("obstacles");
  unmark();
}

function ask(cell) {
  const square = cell.id.slice("sq-".length);
  const key = `${square} ${byId("version").dataset.version}`;
  if (key === asked) return;
  asked = key;
  htmx.ajax("GET", `/games/${byId("game").dataset.game}/squares/${square}`, {
    source: "#remark",
    swap: "none",
  });
}

// What did not come can be asked for again.
document.addEventListener("htmx-finally-request", ({ detail: { ctx } }) => {
  const isLast = asked && ctx.request.action.endsWith(`/squares/${asked.split(" ")[0]}`);
  if (ctx.sourceElement.id === "remark" && isLast && ctx.response?.status !== 200) asked = null;
});

function look(cell, delay) {
  clearTimeout(timer);
  if (!isClosed(cell)) drop();
  else if (delay) timer = setTimeout(() => isClosed(cell) && ask(cell), delay);
  else ask(cell);
}

const cellOf = (event) => event.target.closest?.('#board [role="gridcell"]');

document.addEventListener("click", (event) => {
  const cell = cellOf(event);
  if (cell) look(cell, 0);
});
document.addEventListener("focusin", (event) => {
  const cell = cellOf(event);
  if (cell) look(cell, STAY);
});
document.addEventListener("keydown", (event) => event.key === "Escape" && drop());
document.addEventListener("htmx-after-swap", mark);
