// Shows moments in the reader's time. Pages have them in UTC, each as exact as its `datetime`.
const language = document.documentElement.lang;
const locale = language === "en" ? "en-GB" : language; // as the server's: "21 Nov 2026"

const day = new Intl.DateTimeFormat(locale, { dateStyle: "medium" });
const minute = new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeStyle: "short" });
const second = new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeStyle: "medium" });

/**
 * Returns the day of a moment in the reader's time: "21 Nov 2026".
 * @param {string} moment
 */
export const dayOf = (moment) => day.format(new Date(moment));

function inOwnTime(moment) {
  const exact = /T\d\d:\d\d:/.test(moment) ? second : minute;
  return exact.format(new Date(moment));
}

function show(place) {
  for (const element of place.querySelectorAll("time[datetime*=T]:not([title])")) {
    const isDay = "day" in element.dataset; // then the title has the exact moment
    element.title = isDay ? inOwnTime(element.dateTime) : element.textContent;
    element.textContent = isDay ? dayOf(element.dateTime) : inOwnTime(element.dateTime);
  }
  for (const element of place.querySelectorAll("[data-moment]")) {
    element.title = inOwnTime(element.dataset.moment);
  }
}

// Says beside a field for a moment in UTC what that is in the reader's time.
function explain(field) {
  const moment = new Date(field.valueAsNumber); // browsers take the value for UTC
  const said = field.parentElement.querySelector(".field-moment");
  const isOther = field.value && moment.getTimezoneOffset() !== 0;
  said.textContent = isOther ? said.dataset.text.replace("{moment}", minute.format(moment)) : "";
}

const FIELDS = "input[type=datetime-local]";

show(document);

// Before an update gets into the page: what has not changed is left alone, and nothing flickers.
document.addEventListener("htmx-before-swap", ({ detail: { tasks } }) => {
  for (const { fragment } of tasks) if (fragment) show(fragment);
});

document.addEventListener("input", ({ target }) => {
  if (target.matches(FIELDS)) explain(target);
});

// Browsers that return to a page may fill in its fields after scripts have begun.
addEventListener("pageshow", () => document.querySelectorAll(FIELDS).forEach(explain));
