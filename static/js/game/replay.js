// Stepping through the replay, and the mark in the list of moves.
import { byId } from "../dom.js";
import { reveal } from "../screen.js";

let wanted = null; // the ply that is being requested

const lastPly = () => Number(byId("version").dataset.ply);

const shownPly = () => Number(document.querySelector(".replay")?.dataset.ply ?? lastPly());
const current = () => wanted ?? shownPly();

function targets() {
  return { first: 0, prev: current() - 1, next: current() + 1, last: lastPly() };
}

/** Goes some moves on, or back. */
export function stepBy(moves) {
  const ply = Math.min(Math.max(0, current() + moves), lastPly());
  if (ply !== current()) show(ply);
}

const RELS = { ArrowLeft: "prev", ArrowRight: "next", Home: "first", End: "last" };

/** Goes to the ply for ArrowLeft, ArrowRight, Home or End. */
export function step(key) {
  stepBy(targets()[RELS[key]] - current());
}

// One request at a time, always for the latest ply asked for, so quick keys stay in order.
async function show(ply) {
  const isUnderWay = wanted !== null;
  wanted = ply;
  if (isUnderWay) return;
  try {
    let reached;
    do {
      reached = wanted;
      await load(reached);
    } while (wanted !== reached);
  } finally {
    wanted = null;
  }
}

// The server's response for the last ply is empty: that is the live board.
function load(ply) {
  const url = `/games/${byId("game").dataset.game}${ply < lastPly() ? `?ply=${ply}` : ""}`;
  return htmx.ajax("GET", url, { source: "#replay", target: "#replay", swap: "none", replace: "true" });
}

// The steps are the same links all the time, so that they keep the focus, even if they lead nowhere.
function markSteps() {
  for (const [rel, ply] of Object.entries(targets())) {
    const link = byId(`replay-${rel}`);
    const leads = ply !== shownPly() && ply >= 0 && ply <= lastPly();
    link.rel = rel;
    link.ariaDisabled = leads ? null : "true";
    if (leads) link.href = `?ply=${ply}`;
  }
}

function markPly() {
  markSteps();
  const list = byId("move-list");
  if (!list) return;
  const links = [...list.querySelectorAll("a")];
  const shown = links.find((link) => link.getAttribute("href") === `?ply=${shownPly()}`);
  // One tab stop.
  for (const link of links) {
    link.tabIndex = link === (shown ?? links[0]) ? 0 : -1;
    link.ariaCurrent = link === shown ? "step" : null;
  }
  if (list.contains(document.activeElement)) shown?.focus({ preventScroll: true });
  reveal(shown ?? links[0]);
}

document.addEventListener("click", async (event) => {
  const link = event.target.closest?.("#moves a, .screen-steps a, #replay-live");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  if (link.rel) stepBy(targets()[link.rel] - current());
  else await show(Number(new URL(link.href).searchParams.get("ply")));
  const board = document.querySelector(".replay .board") ?? byId("board");
  if (board.getBoundingClientRect().bottom < 120) board.scrollIntoView({ block: "nearest" });
});

// A takeback leads from a position that it has taken back to the live board.
function follow() {
  if (Number(document.querySelector(".replay")?.dataset.ply) >= lastPly()) show(lastPly());
  markPly();
}

document.addEventListener("htmx-after-swap", follow);
markPly();
