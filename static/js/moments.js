// Shows moments in the reader's time. Pages have them in UTC, each as exact as its `datetime`.
const language = document.documentElement.lang;
const locale = language === "en" ? "en-GB" : language; // as the server's: "21 Nov 2026"

// Making one takes milliseconds, so each is made when it is first needed.
function lazy(make) {
  let made;
  return () => (made ??= make());
}

const day = lazy(() => new Intl.DateTimeFormat(locale, { dateStyle: "medium" }));
const minute = lazy(() => new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeStyle: "short" }));
const second = lazy(() => new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeStyle: "medium" }));
const away = lazy(() => new Intl.RelativeTimeFormat(locale));
const UNITS = [
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
];
let ahead; // milliseconds by which the server's clock is ahead of this one

/**
 * Returns the day of a moment in the reader's time: "21 Nov 2026".
 * @param {string} moment
 */
export const dayOf = (moment) => day().format(new Date(moment));

function inOwnTime(moment) {
  const exact = /T\d\d:\d\d:/.test(moment) ? second : minute;
  return exact().format(new Date(moment));
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
  for (const element of place.querySelectorAll("time:is([data-dated], [data-relative])")) {
    element.title = inOwnTime(element.dateTime);
    if (!("away" in element.dataset)) continue;
    ahead ??= Date.parse(element.dateTime) - 1000 * Number(element.dataset.away) - Date.now();
    delete element.dataset.away; // so that an update that changes nothing does not seem to
  }
}

// Says again how far away moments are.
function sayAgain() {
  for (const element of document.querySelectorAll("time[data-relative]")) {
    const seconds = (Date.parse(element.dateTime) - Date.now() - ahead) / 1000;
    const unit = UNITS.find(([, length]) => Math.abs(seconds) >= length);
    if (unit) element.textContent = away().format(Math.trunc(seconds / unit[1]), unit[0]);
  }
}

const FIELDS = "input[type=datetime-local]";
const LENGTH = "2026-11-21T18:05".length;

// Browsers show the parts of a moment in an order of their own: the field says it in words, too.
function explain(field) {
  const said = field.parentElement.querySelector(".field-moment");
  said.textContent = field.value ? minute().format(new Date(field.value)) : "";
}

// A field comes with a moment in UTC. Browsers that return to a page fill in what it had then.
function turnToOwnTime(field) {
  const zone = field.labels[0].querySelector("[data-own-time]");
  zone.textContent = zone.dataset.ownTime;
  if (field.value && field.value === field.defaultValue) {
    const moment = new Date(`${field.value}Z`);
    moment.setMinutes(moment.getMinutes() - moment.getTimezoneOffset());
    field.value = moment.toISOString().slice(0, LENGTH);
  }
  explain(field);
}

show(document);
setInterval(sayAgain, 30_000);

// Before an update gets into the page: what has not changed is left alone, and nothing flickers.
document.addEventListener("htmx-before-swap", ({ detail: { tasks } }) => {
  for (const { fragment } of tasks) if (fragment) show(fragment);
});

document.addEventListener("input", ({ target }) => {
  if (!target.matches(FIELDS)) return;
  explain(target);
  // Among other ways to say when, whoever writes a moment wants that.
  const choice = target.form.querySelector('[name="starts"][value="at"]');
  if (choice) choice.checked = true;
});

// Browsers may fill in fields after scripts have begun.
addEventListener("pageshow", ({ persisted }) => {
  if (!persisted) document.querySelectorAll(FIELDS).forEach(turnToOwnTime);
});

document.addEventListener("formdata", ({ target, formData }) => {
  for (const { name, value } of target.querySelectorAll(FIELDS)) {
    if (value) formData.set(name, new Date(value).toISOString().slice(0, LENGTH));
  }
});
