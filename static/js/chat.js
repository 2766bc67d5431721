// The chat of a game or a tournament: it is marked when it is closed and something is said.
import { byId } from "./dom.js";

const chat = byId("chat");
const ROOMY = "(min-width: 64rem) and (min-height: 56rem)";

function scrollDown(list) {
  list.scrollTop = list.scrollHeight;
}

if (chat) {
  const lists = [...chat.querySelectorAll(".chat-lines")];
  const mark = document.querySelector(".chat-new");
  const tab = document.querySelector('[name="pane"][value="chat"]');
  const isOpen = () => lists[0].checkVisibility({ contentVisibilityAuto: true });
  const look = () => {
    if (isOpen()) mark.hidden = true;
    for (const list of lists) scrollDown(list);
  };
  if (tab) tab.checked ||= location.hash === "#chat";
  else chat.open ||= location.hash === "#chat" || matchMedia(ROOMY).matches;
  chat.addEventListener("toggle", look);
  document.addEventListener("change", look);
  for (const list of lists) {
    let last = list.lastElementChild?.id;
    scrollDown(list);
    new MutationObserver(() => {
      if (list.lastElementChild?.id === last) return;
      last = list.lastElementChild?.id;
      if (!isOpen()) mark.hidden = false;
      scrollDown(list);
    }).observe(list, { childList: true });
  }
  // What has been typed since a line was sent stays.
  document.addEventListener("htmx-after-request", ({ detail: { ctx } }) => {
    const form = ctx.sourceElement;
    if (!form.matches?.(".chat-form") || !ctx.response.raw.ok) return;
    if (form.elements.text.value === ctx.request.body.get("text")) form.reset();
  });
}
