// What waits for the viewer: the number in the title, on the icon and on the installed app, and the list in the
// header.
import { byId } from "./dom.js";

const title = document.title;
const icon = document.querySelector("link[rel=icon]");
const plain = icon.href;

let known = null; // the challenges that have been shown on this page

function challenges() {
  return new Set([...byId("alerts").querySelectorAll(".alert-card")].map((card) => card.id));
}

// The game on this page waits for the viewer, who is looking at another tab.
function isMissed() {
  const isYours = byId("version")?.dataset.turn === "yours";
  return document.hidden && isYours && !document.querySelector("[data-alone]");
}

function announce() {
  const count = Number(byId("alerts").dataset.count ?? 0) + (isMissed() ? 1 : 0);
  document.title = count ? `(${count}) ${title}` : title;
  icon.href = count ? icon.dataset.alert : plain;
}

function show() {
  announce();
  const alerts = byId("alerts");
  if (!alerts.dataset.count) return; // it has not arrived yet
  const count = Number(alerts.dataset.count);
  const turns = alerts.querySelectorAll(".alert-turn").length;
  navigator.setAppBadge?.(turns).catch(() => {}); // 0 removes it; a page that is not allowed to does without
  const present = challenges();
  // A challenge that comes opens the list, but neither over a board nor in the lobby, which lists it.
  const isNew = known !== null && [...present].some((id) => !known.has(id));
  if (isNew && !document.querySelector(".screen, .nugget-page, .lobby-page")) alerts.open = true;
  if (!count && !alerts.querySelector(".alert-news")) alerts.open = false;
  known = present;
}

document.addEventListener("click", (event) => {
  const alerts = byId("alerts");
  if (alerts.open && !alerts.contains(event.target)) alerts.open = false;
});

document.addEventListener("htmx-after-swap", show);
document.addEventListener("visibilitychange", announce);
