// Puts what comes under the days of the reader's time.
import { dayOf } from "./moments.js";

const days = [...document.querySelectorAll(".calendar-day")];
const rows = days.flatMap((section) => [...section.querySelectorAll(".row-card")]); // by their start
const last = days.at(-1);

/** @type {Map<string, Element>} */
const sections = new Map();

for (const row of rows) {
  const day = dayOf(row.querySelector("time").dateTime);
  if (!sections.has(day)) sections.set(day, emptySection(day));
  sections.get(day).querySelector(".rows").append(row);
}
last?.after(...sections.values());
for (const section of days) section.remove();

function emptySection(day) {
  const section = /** @type {Element} */ (days[0].cloneNode(true));
  section.querySelector("h2").textContent = day;
  section.querySelector(".rows").replaceChildren();
  return section;
}
