// The chat of a game, a tournament or a team: it is marked when it is closed and something is said. The live connection
// may replace or add all of it, so it is looked up whenever it is used.
import { byId } from "./dom.js";

const ROOMY = "(min-width: 64rem) and (min-height: 56rem)";

const chatLists = () => [...document.querySelectorAll(".chat-lines")];
const chatMark = () => document.querySelector(".chat-new");
const chatTab = () => document.querySelector('[name="pane"][value="chat"]'); // beside a board
const isOpen = (list) => list.checkVisibility({ contentVisibilityAuto: true });

let known = null; // the chat that was opened
const lastLines = new WeakMap(); // of the lists, their ids

function scrollDown(list) {
  list.scrollTop = list.scrollHeight;
}

function open(chat) {
  const tab = chatTab();
  const isWanted = location.hash === "#chat";
  if (!tab) chat.open ||= isWanted || matchMedia(ROOMY).matches;
  else if (!tab.disabled) tab.checked ||= isWanted;
}

function look() {
  const lists = chatLists();
  if (lists.some(isOpen)) chatMark().hidden = true;
  for (const list of lists) scrollDown(list);
}

function follow() {
  const chat = byId("chat");
  const lists = chatLists();
  const tab = chatTab();
  if (tab) tab.disabled = !lists.length;
  if (chat && chat !== known) open(chat);
  known = chat;
  for (const list of lists) {
    const last = list.lastElementChild?.id;
    if (lastLines.get(list) === last) continue;
    lastLines.set(list, last);
    if (!isOpen(list)) chatMark().hidden = false;
    scrollDown(list);
  }
}

follow();
if (chatMark()) chatMark().hidden = true; // what was there before the page

// What was read of a chat may have a line already which the live connection tells afterwards.
function isThere({ fragment }) {
  const line = fragment?.firstElementChild;
  return Boolean(line?.matches(".chat-line") && byId(line.id));
}

document.addEventListener("htmx-before-swap", ({ detail: { tasks } }) => {
  tasks.splice(0, tasks.length, ...tasks.filter((task) => !isThere(task)));
});
document.addEventListener("htmx-after-swap", follow);
document.addEventListener(
  "toggle",
  ({ target }) => {
    if (target === byId("chat")) look();
  },
  { capture: true }, // it does not bubble
);
document.addEventListener("change", ({ target }) => {
  if (target.matches('[name="pane"]')) look();
});

// What has been typed since a line was sent stays.
document.addEventListener("htmx-after-request", ({ detail: { ctx } }) => {
  const form = ctx.sourceElement;
  if (!form.matches?.(".chat-form") || !ctx.response.raw.ok) return;
  if (form.elements.text.value === ctx.request.body.get("text")) form.reset();
});
