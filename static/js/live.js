// Live pages: the banner of a lost connection, detecting silent connections, and redirects.
import { byId, isWriting, say, text } from "./dom.js";
import "./due.js";
import "./focus.js";
import "./movement.js";
import "./notices.js";

const SILENCE = 30_000; // milliseconds; the server sends a heartbeat every 20 seconds
const lastMessageAt = new Map(); // connection -> when its last message arrived
const missing = new Map(); // connection -> how often it has ended since its last message, and why

const SECONDS_TO_STAY = 5;
const SECONDS_TO_WRITE = 20; // more, for finishing what is being written

const usualDelays = new Map(); // connection -> its delays, while a restarting server has set another one

let departure = 0; // the timer that counts down before the page goes to another one
let leaving = false; // whether another page has already been requested
let sent = 0; // requests that are not answered yet
let wanted; // where a message led in the meantime
let isStale = false; // whether a connection has ended for good, as all do that belong to a session that is over
let reason = ""; // why the connection has ended of which hx-ws tells next, if the server said so

function stateText() {
  if (isStale) return text("stale");
  const reasons = [...missing.values()].map((end) => end.reason);
  if (reasons.includes("too_many_connections")) return text("crowded");
  return reasons.length ? text("lost") : "";
}

// The banner is left alone while it is true: screen readers read each change.
function banner() {
  const element = byId("connection");
  const sentence = stateText();
  if (element.textContent !== sentence) element.textContent = sentence;
  element.hidden = !sentence;
}

// The server refuses a connection after it has been opened, so it has succeeded when its first message comes.
function settle(connection) {
  missing.delete(connection);
  banner();
}

function noteReason(event) {
  reason = event.reason;
}

// A server that restarts tells each page when to come back, so that not all of them do so at once.
function comeBackAfter(connection, delay) {
  const { reconnectDelay, reconnectMaxDelay, reconnectJitter } = connection.config;
  usualDelays.set(connection, { reconnectDelay, reconnectMaxDelay, reconnectJitter });
  Object.assign(connection.config, {
    reconnectDelay: delay,
    reconnectMaxDelay: delay,
    reconnectJitter: 0,
  });
}

// What comes over it is in the language of the page and for its account, whatever the reader has chosen elsewhere
// meanwhile.
function asDrawn(address) {
  const url = new URL(address, location.href);
  const { lang, dataset } = document.documentElement;
  url.searchParams.set("lang", lang);
  if (dataset.account) url.searchParams.set("account", dataset.account);
  return url.href;
}

// The delay is only for the first attempt: hx-ws has scheduled that one by now.
document.addEventListener("htmx-ws-before-connection", ({ detail: { connection } }) => {
  connection.url = asDrawn(connection.url);
  Object.assign(connection.config, usualDelays.get(connection));
  usualDelays.delete(connection);
});

document.addEventListener("htmx-ws-after-connection", (event) => {
  const { connection } = event.detail;
  lastMessageAt.set(connection, Date.now());
  // When it comes back, the page shows something else than at first.
  connection.url = connection.url.replace(/([?&])shown=\w*&?/, "$1");
  connection.socket.addEventListener("message", () => settle(connection), { once: true });
  connection.socket.addEventListener("close", noteReason, { capture: true }); // before hx-ws
});

// The next game of a tournament: there is time to look at how the last one ended, to finish writing, or to stay.
function go(address, left = SECONDS_TO_STAY, toWrite = SECONDS_TO_WRITE) {
  const then = byId("then");
  if (!then || left === 0) {
    location.assign(address);
    return;
  }
  const sentence = then.dataset.text.replace("{seconds}", left);
  if (then.hidden) say(sentence);
  then.hidden = false;
  then.firstElementChild.textContent = sentence;
  then.querySelector("a").href = address;
  const waits = toWrite > 0 && isWriting();
  departure = setTimeout(go, 1000, address, waits ? left : left - 1, waits ? toWrite - 1 : toWrite);
}

document.addEventListener("click", ({ target }) => {
  if (!target.closest?.("#then button")) return;
  clearTimeout(departure);
  leaving = false; // a rematch, or the game of the next round, is still followed
  wanted = undefined;
  byId("then").querySelector("a").focus();
  for (const element of byId("then").querySelectorAll("b, button")) element.hidden = true;
});

document.addEventListener("htmx-ws-before-message-incoming", (event) => {
  const { connection, message } = event.detail;
  lastMessageAt.set(connection, Date.now());
  if (typeof message.data !== "string" || !message.data.startsWith("{")) return;
  const { visit, retry_after: retryAfter } = JSON.parse(message.data);
  if (typeof retryAfter === "number") comeBackAfter(connection, 1000 * retryAfter);
  if (typeof visit === "string" && new URL(visit, location.href).origin === location.origin) {
    event.preventDefault();
    // Only pages on which players wait for a game go to it.
    if (!document.querySelector("[data-waits]")) return;
    wanted = visit;
    follow();
  }
});

// After accepting a challenge, the response and the socket both lead to the game: follow one. An answer under way is
// waited for, since that to a visitor brings the session of the new guest.
function follow() {
  if (!wanted || sent || leaving) return;
  leaving = true;
  go(wanted);
}

document.addEventListener("htmx-before-request", () => {
  sent += 1;
});
document.addEventListener("htmx-after-request", (event) => {
  if (!event.detail.ctx.hx?.redirect) return;
  if (leaving) event.preventDefault();
  leaving = true;
});
document.addEventListener("htmx-finally-request", () => {
  sent -= 1;
  follow();
});

document.addEventListener("htmx-ws-close", (event) => {
  const { connection, code } = event.detail;
  lastMessageAt.delete(connection);
  // Pages being left close their own sockets, and so do most hidden ones; code null: the element was removed.
  if (code === null || code === 1000) {
    settle(connection);
    return;
  }
  if (document.hidden && connection.config.pauseOnBackground) return;
  isStale ||= !htmx.config.ws.reconnectCodes.includes(code);
  connection.attempt = missing.get(connection)?.times ?? 0; // hx-ws counts from when it was open last
  missing.set(connection, { times: connection.attempt + 1, reason });
  reason = "";
  banner();
});

// A connection that died silently: hx-ws reconnects after a close event with code 1006. The clock may be set back.
export function replaceSilent() {
  for (const [connection, at] of lastMessageAt) {
    if (Math.abs(Date.now() - at) > SILENCE) {
      connection.socket?.dispatchEvent(new CloseEvent("close", { code: 1006 }));
    }
  }
}
setInterval(replaceSilent, 5_000);
document.addEventListener("visibilitychange", replaceSilent); // a hidden page's timers may stand still

// After a return from the back/forward cache, a live page is outdated: its socket was closed.
addEventListener("pageshow", (event) => {
  if (event.persisted && document.querySelector("[data-hx-ws-connect]")) location.reload();
});

addEventListener("load", () => {
  const parts = [...document.querySelectorAll("link[rel=stylesheet], link[as=font]")].map(({ href }) => [
    "with",
    href,
  ]);
  const kept = new URLSearchParams([["lang", document.documentElement.lang], ...parts]);
  navigator.serviceWorker?.register(`/service-worker.js?${kept}`);
});

// htmx may have processed the page before its websocket extension was loaded; twice is harmless.
htmx.process(document.body);
