// Drops outdated updates: a move that was sent as a request arrives twice, as its response and over the socket.
import { byId } from "../dom.js";
import { unpick } from "./confirm.js";
import { forget } from "./remark.js";

const versionIn = (task) => Number(task.fragment?.querySelector("#version")?.dataset.version ?? NaN);
const isNotice = (task) => task.target === byId("notice");
const isTime = (task) => task.target === byId("now");

document.addEventListener("htmx-before-swap", (event) => {
  const { tasks } = event.detail;
  const version = tasks.map(versionIn).find((number) => !Number.isNaN(number));
  if (version === undefined) return;
  if (version <= Number(byId("version").dataset.version)) {
    tasks.splice(0, tasks.length, ...tasks.filter((task) => isNotice(task) || isTime(task)));
    return;
  }
  unpick();
  forget("obstacles");
  byId("game").dataset.version = version;
  if (!tasks.some(isNotice)) byId("notice").replaceChildren();
});
