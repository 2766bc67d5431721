// The line beside the board that answers what the player just did there.
import { byId } from "../dom.js";

let owner = null; // the module that wrote the line last

/** Shows a sentence, or elements, on behalf of a module. */
export function remark(from, content) {
  owner = from;
  byId("remark").replaceChildren(content);
}

/** Clears the line if the module wrote it. */
export function forget(from) {
  if (owner !== from) return;
  owner = null;
  byId("remark").replaceChildren();
}

/**
 * Clears the line at a new version of the game: what it said was about the one before. A move on its way stays, an
 * offer, and a warning of a move at this ply.
 * @param {string} ply
 */
export function outdate(ply) {
  const line = byId("remark");
  const isOfMove = owner === "sending" && !line.querySelector("[data-warning]");
  if (isOfMove || line.querySelector(`[data-offer], [data-warning="${ply}"]`)) return;
  owner = null;
  line.replaceChildren();
}

/** Notes that the server has written the line on behalf of a module. */
export function claim(from) {
  owner = from;
}
