// A move on its way: it is kept until the server has answered it, and sent again with the same id if need be.
import { byId, text } from "../dom.js";
import { insist } from "../requests.js";
import { tab } from "../storage.js";
import { sendLive } from "./live_moves.js";
import { claim, forget, remark } from "./remark.js";

const KEY = `sending:${byId("game").dataset.game}`;
const SLOW = 400; // milliseconds after which the page says that a move is on its way

let sending = null; // the move

function mark() {
  for (const cell of document.querySelectorAll("#board .sq-sending")) cell.classList.remove("sq-sending");
  if (sending) byId(`sq-${sending}`)?.classList.add("sq-sending");
}

function show(name, move) {
  sending = move;
  mark();
  remark("sending", text(name, { move }));
}

async function send(url, request) {
  // A copy of the move says the same: one that the server has warned of in vain is warned of again.
  const warning = `#remark [data-warning="${request.body.get("ply")}"]`;
  request.body.set("sure", document.querySelector(warning) !== null);
  const fields = Object.fromEntries(request.body);
  tab.keep(KEY, JSON.stringify(fields)); // it survives a reload of the page
  const slow = setTimeout(() => show("sending", fields.move), SLOW);
  const unanswered = () => {
    clearTimeout(slow);
    show("kept", fields.move);
  };
  const answer = (await sendLive(fields)) ?? (await insist(url, request, unanswered));
  clearTimeout(slow);
  tab.keep(KEY, null);
  sending = null;
  mark();
  forget("sending");
  return answer;
}

document.addEventListener("htmx-config-request", ({ detail: { ctx } }) => {
  if (ctx.sourceElement.id !== "move-form") return;
  ctx.request.timeout = 0;
  ctx.fetch = send;
});

// A move that was on its way when the page was left. The server recognises it if it has arrived.
document.addEventListener("DOMContentLoaded", () => {
  const fields = JSON.parse(tab.recall(KEY));
  if (!fields) return;
  const form = byId("move-form");
  htmx.ajax("POST", form.action, { source: form, swap: "none", values: fields });
});

document.addEventListener("htmx-after-swap", () => {
  mark();
  if (document.querySelector("#remark [data-warning]")) claim("sending");
});
