// Stepping through the replay, and the mark in the list of moves.
import { byId } from "../dom.js";

let wanted = null; // the ply that is being requested

const lastPly = () => Number(byId("version").dataset.ply);

// Goes to the ply for ArrowLeft, ArrowRight, Home or End.
export function step(key) {
  const last = lastPly();
  const from = wanted ?? Number(document.querySelector(".replay")?.dataset.ply ?? last);
  const ply = { ArrowLeft: from - 1, ArrowRight: from + 1, Home: 0, End: last }[key];
  if (ply >= 0 && ply !== from) show(Math.min(ply, last));
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
  return htmx.ajax("GET", url, { target: "#replay", swap: "innerMorph", replace: "true" });
}

function markPly() {
  const ply = document.querySelector(".replay")?.dataset.ply ?? byId("version").dataset.ply;
  const list = byId("move-list");
  if (!list) return;
  list.querySelector("[aria-current]")?.removeAttribute("aria-current");
  const current = list.querySelector(`a[href="?ply=${ply}"]`);
  current?.setAttribute("aria-current", "step");
  // Scrolls the list only, never the page.
  list.scrollTop = current ? current.parentElement.offsetTop - list.clientHeight / 2 : 0;
}

document.addEventListener("click", async (event) => {
  const link = event.target.closest?.("#moves a");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  await show(Number(new URL(link.href).searchParams.get("ply")));
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
