// The server's clock, by which games run and moments are near or far.
import { tab } from "./storage.js";

const KEY = "server-ahead"; // in the storage of the tab
const [navigation] = performance.getEntriesByType("navigation");

// Milliseconds by which that clock is ahead of this one. A page to which its reader has gone back may come from the
// browser's cache, and says what time it was long ago.
let ahead = Number((navigation?.type === "back_forward" && tab.recall(KEY)) || -Infinity);
let latest = null; // the latest server time of an update, as text

/**
 * Takes note of what time it was on the server when it answered. The answer may be old, so it was at least then.
 * @param {number} moment in milliseconds since the epoch
 */
export function hear(moment) {
  const heard = moment - Date.now();
  if (heard <= ahead) return;
  ahead = heard;
  tab.keep(KEY, String(ahead));
}

/**
 * The server's time in milliseconds since the epoch. Pages with clocks have it in #now, and so does each update of them.
 */
export function serverNow() {
  const now = document.getElementById("now")?.dataset.now;
  if (now && now !== latest) {
    if (latest) ahead = Number(now) - Date.now();
    else hear(Number(now));
    latest = now;
  }
  return Date.now() + ahead;
}
