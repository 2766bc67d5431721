// The chat of a game or a tournament: open where there is room for it, marked when it is closed and something is said.
import { byId } from "./dom.js";

const chat = byId("chat");
const ROOMY = "(min-width: 64rem) and (min-height: 56rem)";

function scrollDown(list) {
  list.scrollTop = list.scrollHeight;
}

if (chat) {
  const lists = [...chat.querySelectorAll(".chat-lines")];
  const mark = chat.querySelector(".chat-new");
  chat.open = location.hash === "#chat" || matchMedia(ROOMY).matches;
  chat.addEventListener("toggle", () => {
    if (chat.open) mark.hidden = true;
    for (const list of lists) scrollDown(list);
  });
  for (const list of lists) {
    let last = list.lastElementChild?.id;
    scrollDown(list);
    new MutationObserver(() => {
      if (list.lastElementChild?.id === last) return;
      last = list.lastElementChild?.id;
      if (!chat.open) mark.hidden = false;
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
