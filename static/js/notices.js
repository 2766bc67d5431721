// Notices: what the server says beside the page, and every request that fails without its saying so.
import { byId, text } from "./dom.js";
import { noteFocus, recoverFocus } from "./focus.js";

const INFORMATION = 10_000; // milliseconds that information is shown; errors stay until they are closed

/** Shows a notice about a failure. */
export function complain(sentence) {
  const notice = byId("notice");
  notice.replaceChildren(byId("notice-template").content.cloneNode(true));
  notice.querySelector("span").textContent = sentence;
}

const isOurs = (answer) => /hx-target="#(notice|remark)"/.test(answer);

/** Shows a notice about a response with an error status, unless it contains one itself. */
export function complainOf(status, answer) {
  if (!isOurs(answer)) complain(text("failed", { status }));
}

const OF_PAGES = new Set(["due", "every", "load", "intersect"]);

/** Whether nobody asked for what has failed: the page tries again, and says whether it has a connection. */
const isOfPage = (/** @type {any} */ ctx) => OF_PAGES.has(ctx?.sourceEvent?.type);

// No response: the request did not get through, or the page could not use what came back.
document.addEventListener("htmx-error", ({ detail }) => {
  if (detail.ctx?.request && !isOfPage(detail.ctx))
    complain(text(detail.ctx.response ? "broken" : "unreachable"));
});

document.addEventListener("htmx-response-error", ({ detail: { ctx } }) => {
  if (isOurs(ctx.text)) return;
  ctx.swap = "none"; // a proxy's page, for example, does not belong in this one
  ctx.text = "";
  if (!isOfPage(ctx)) complainOf(ctx.response.status, "");
});

document.addEventListener("click", (event) => {
  const notice = event.target.closest?.(".notice-close")?.parentElement;
  if (notice) clear(notice);
});

document.addEventListener("htmx-after-swap", () => {
  const information = document.querySelector("#notice .notice-information");
  if (information) setTimeout(clear, INFORMATION, information);
});

function clear(notice) {
  noteFocus();
  notice.remove();
  recoverFocus();
}
