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

/** Notes that the server has written the line on behalf of a module. */
export function claim(from) {
  owner = from;
}
