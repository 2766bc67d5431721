// What a page says is true until a moment, which it names: then its server is asked again, for a part of the page or for
// all of it.
import { hasTyped } from "./dom.js";
import { hear, serverNow } from "./server_time.js";

const LATE = 1_000; // milliseconds after the moment, so that the server agrees that it has passed
const AGAIN = 10_000; // milliseconds until the next request, if that one brings nothing

// The page tells the server's time, so it is taken when the page has loaded.
function hearTime() {
  for (const { dataset } of document.querySelectorAll("[data-due][data-now]")) hear(Number(dataset.now));
}

function look() {
  hearTime();
  for (const element of document.querySelectorAll("[data-due]")) {
    if (serverNow() < Number(element.dataset.due) + LATE) continue;
    element.dataset.due = String(serverNow() + AGAIN);
    if (element.matches("[data-hx-get]")) htmx.trigger(element, "due");
    else if (!hasTyped()) reload();
  }
}

// A computer that wakes up may be without its network, and a server that restarts does not answer yet.
async function reload() {
  const answer = await fetch(location.href, { method: "HEAD" }).catch(() => null);
  if (answer && answer.status < 500) location.reload();
}

hearTime();
setInterval(look, 1_000);
