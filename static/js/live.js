// What every live page shares: the banner of a lost connection, the watch over silence, and redirects.
import { byId } from "./dom.js";

const SILENCE = 45_000; // milliseconds; the server says something every 20 seconds
const RECONNECTS = new Set([1001, 1005, 1006, 1011, 1012, 1013, 1014]); // as in hx-ws
const heard = new Map(); // connection -> when it last said something

let leaving = false; // for another page, which has been asked for already

function banner(text) {
  const element = byId("connection");
  element.textContent = text;
  element.hidden = !text;
}

document.addEventListener("htmx:ws:after:connection", (event) => {
  heard.set(event.detail.connection, Date.now());
  banner("");
});

document.addEventListener("htmx:ws:before:message:incoming", (event) => {
  const { connection, message } = event.detail;
  heard.set(connection, Date.now());
  if (typeof message.data !== "string" || !message.data.startsWith("{")) return;
  const { visit } = JSON.parse(message.data);
  if (typeof visit === "string" && new URL(visit, location.href).origin === location.origin) {
    event.preventDefault();
    // Only a page on which one waits for a game is left for it.
    if (!document.querySelector("[data-waits]")) return;
    if (!leaving) location.assign(visit);
    leaving = true;
  }
});

// Whoever accepts a challenge is sent to the game twice, by the answer and by the socket; once is enough.
document.addEventListener("htmx:after:request", (event) => {
  if (!event.detail.ctx.hx?.redirect) return;
  if (leaving) event.preventDefault();
  leaving = true;
});

document.addEventListener("htmx:ws:close", (event) => {
  const { connection, code } = event.detail;
  heard.delete(connection);
  // A hidden page closes its own socket, a page that is left too; and code null means that the element went.
  if (document.hidden || code === null || code === 1000) return;
  banner(
    RECONNECTS.has(code)
      ? "Connection lost — reconnecting…"
      : "This page is no longer live. Reload it to go on.",
  );
});

// A connection that died without a word: to hx-ws a close event with code 1006 is one to reconnect after.
setInterval(() => {
  if (document.hidden) return;
  for (const [connection, at] of heard) {
    if (Date.now() - at > SILENCE) {
      connection.socket?.dispatchEvent(new CloseEvent("close", { code: 1006 }));
    }
  }
}, 5_000);

// Back from the browser's back/forward cache, the socket is closed and the page may be old.
addEventListener("pageshow", (event) => {
  if (event.persisted) location.reload();
});

// htmx may have looked at the page before its websocket extension was there; looking twice does no harm.
htmx.process(document.body);
