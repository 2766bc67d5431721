// Drops what is for another version than the page shows: updates that arrive twice, as the response to a move and
// over the socket, and late hints.
import { byId } from "../dom.js";
import { unpick } from "./confirm.js";
import { outdate } from "./remark.js";

const stateIn = (task) => task.fragment?.querySelector("#version")?.dataset;
// What is for one version only: a hint, or what has changed with the time alone.
const isLate = (task) => {
  const version = task.fragment?.querySelector(":is([data-hint], #now)[data-version]")?.dataset.version;
  return version !== undefined && version !== byId("version").dataset.version;
};
const isNotice = (task) => task.target === byId("notice");
const isTime = (task) => task.target === byId("now");

document.addEventListener("htmx-before-swap", (event) => {
  const { tasks } = event.detail;
  if (tasks.some(isLate)) {
    tasks.splice(0);
    return;
  }
  const state = tasks.map(stateIn).find(Boolean);
  if (!state) return;
  if (Number(state.version) <= Number(byId("version").dataset.version)) {
    tasks.splice(0, tasks.length, ...tasks.filter((task) => isNotice(task) || isTime(task)));
    return;
  }
  unpick();
  outdate(state.ply);
  byId("game").dataset.version = state.version;
  if (!tasks.some(isNotice)) byId("notice").replaceChildren();
});
