// A run of Golden Nugget: clicks and keys become commands, sent one request at a time and in order.
import { byId, isTyped, text } from "./dom.js";
import { complainOf } from "./notices.js";
import { newKey } from "./once.js";
import { insist } from "./requests.js";
import { browser } from "./storage.js";

const KEYS = { Enter: "turn", Backspace: "undo" };
const KEPT = { "turn-at-once": "nugget-turn", "show-rivals": "nugget-rivals" }; // switches in the browser's storage
const HTMX = { "HX-Request": "true", "HX-Request-Type": "partial" };

const waiting = []; // commands that are not sent yet
let isSending = false;
const otherTabs = new BroadcastChannel("nugget-run");

for (const [id, key] of Object.entries(KEPT)) {
  const box = byId(id);
  if (!box) continue;
  const kept = browser.recall(key);
  if (kept) box.checked = kept === "yes";
  box.addEventListener("change", () => browser.keep(key, box.checked ? "yes" : "no"));
}

function enqueue(command) {
  byId("notice").replaceChildren();
  waiting.push(command);
  if (!isSending) send();
}

// All commands entered meanwhile go with the next request. The server applies it in order, and recognises a
// repeated request by its id, so nothing is lost, repeated or reordered.
async function send() {
  isSending = true;
  try {
    await sendAll();
  } finally {
    isSending = false;
  }
}

async function sendAll() {
  while (waiting.length) {
    const commands = waiting.splice(0, 100);
    const play = byId("play");
    const body = new URLSearchParams({
      once: `${document.documentElement.dataset.account}.`,
      commands: commands.join(" "),
      version: play.dataset.version,
      request_id: newKey(),
    });
    const answer = await ask(byId("commands").action, body);
    const swap = answer.ok || answer.status === 409 ? "outerMorph" : "none";
    const html = await answer.text();
    await show(html, swap);
    if (!answer.ok) {
      waiting.length = 0;
      complainOf(answer.status, html);
      continue;
    }
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- channels have none
    otherTabs.postMessage({ run: play.dataset.run, html });
    if (turnsAtOnce(commands)) waiting.push("turn");
  }
}

function show(html, swap = "outerMorph") {
  const play = byId("play");
  return htmx.swap({ sourceElement: play, target: play, swap, text: html });
}

// Answers may overtake each other, and a hint belongs to one version.
document.addEventListener("htmx-before-swap", ({ detail: { tasks } }) => {
  const shown = byId("play").dataset;
  const isOld = ({ fragment }) => {
    const told = fragment?.querySelector("#play")?.dataset;
    return told?.run === shown.run && Number(told.version) < Number(shown.version);
  };
  tasks.splice(0, tasks.length, ...tasks.filter((task) => !isOld(task)));
});

// The same run may be open in several tabs.
otherTabs.addEventListener("message", ({ data }) => {
  if (data.run === byId("play").dataset.run && !isSending) show(data.html);
});

// Whether to turn the blocks automatically: the board is solved, and no command is waiting.
function turnsAtOnce(commands) {
  const isSolved = byId("play").querySelector("[value=turn]:not([aria-disabled])") !== null;
  return isSolved && byId("turn-at-once")?.checked && !waiting.length && commands.at(-1) !== "undo";
}

async function ask(url, body) {
  const connection = byId("connection");
  const answer = await insist(url, { method: "POST", body, headers: HTMX }, () => {
    connection.textContent = text("kept");
    connection.hidden = false;
  });
  connection.hidden = true;
  return answer;
}

document.addEventListener("submit", (event) => {
  if (event.target.id !== "commands") return;
  event.preventDefault();
  if (event.submitter) enqueue(event.submitter.value);
});

document.addEventListener("keydown", (event) => {
  if (event.altKey || event.metaKey || isTyped(event)) return;
  let command = null;
  if (event.ctrlKey) {
    if (event.key === "z") command = "undo";
    if (event.key === "y") command = "redo";
  } else if (event.key in KEYS) {
    if (event.key === "Enter" && event.target.closest("button, a, summary, input")) return;
    command = event.key === "Backspace" && event.shiftKey ? "redo" : KEYS[event.key];
  } else if (/^[1-7a-uA-U]$/.test(event.key)) {
    command = event.key.toUpperCase();
  }
  if (!command) return;
  event.preventDefault();
  enqueue(command);
});

// Also mark the suggested force on the board.
function markHint() {
  const force = document.querySelector("#play [data-hint]")?.dataset.hint;
  for (const button of document.querySelectorAll("#commands button[name=commands]")) {
    button.classList.toggle("force-hinted", button.value === force);
  }
}
document.addEventListener("htmx-after-swap", markHint);
markHint();

// Warn before leaving a page with unsaved moves.
addEventListener("beforeunload", (event) => {
  if (isSending) event.preventDefault();
});
