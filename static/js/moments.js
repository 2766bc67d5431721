// Shows moments in the reader's time. Pages have them in UTC, each as exact as its `datetime`.
import { hear, serverNow } from "./server_time.js";

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
const plural = lazy(() => new Intl.PluralRules(language));
const textsLeft = lazy(() => JSON.parse(document.body.dataset.timesLeft)); // by unit and plural form
const UNITS = [
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
  ["second", 1],
];

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
  for (const element of place.querySelectorAll("time[data-away]")) {
    element.title = minute().format(new Date(element.dateTime));
    hear(Date.parse(element.dateTime) - 1000 * Number(element.dataset.away));
    delete element.dataset.away; // so that an update that changes nothing does not seem to
  }
  sayAgain(place);
}

function awayText(seconds, justNow) {
  if (seconds > -60 && seconds <= 0) return justNow;
  const unit = UNITS.find(([, length]) => Math.abs(seconds) >= length && length > 1);
  return unit && away().format(Math.trunc(seconds / unit[1]), unit[0]);
}

function leftText(rest) {
  const seconds = Math.max(0, Math.round(rest));
  const [unit, length] = UNITS.find((each) => seconds >= each[1]) ?? UNITS.at(-1);
  const count = Math.floor(seconds / length);
  return textsLeft()[unit][plural().select(count)].replace("{count}", count);
}

// Says again how far away moments are, and how much time is left until others.
function sayAgain(place) {
  for (const element of place.querySelectorAll("time:is([data-relative], [data-left])")) {
    const seconds = (Date.parse(element.dateTime) - serverNow()) / 1000;
    const { relative } = element.dataset; // the words for a moment that has just come
    const said = relative === undefined ? leftText(seconds) : awayText(seconds, relative);
    if (said && element.textContent !== said) element.textContent = said;
  }
}

const FIELDS = "input[type=datetime-local]";
const LENGTH = "2026-11-21T18:05".length;
const came = new WeakMap(); // field -> the value in the reader's time with which it came

// Browsers show the parts of a moment in an order of their own: the field says it in words, too.
function explain(field) {
  const said = field.parentElement.querySelector(".field-moment");
  said.textContent = field.value ? minute().format(new Date(field.value)) : "";
}

// The value of a field for a moment, on the reader's clock.
function inOwnZone(moment) {
  return new Date(moment - 60_000 * moment.getTimezoneOffset()).toISOString().slice(0, LENGTH);
}

// A field comes with a moment in UTC. Browsers that return to a page fill in what it had then.
function turnToOwnTime(field) {
  const zone = field.labels[0].querySelector("[data-own-time]");
  zone.textContent = zone.dataset.ownTime;
  if (field.defaultValue) {
    const isAsItCame = field.value === field.defaultValue;
    came.set(field, inOwnZone(new Date(`${field.defaultValue}Z`)));
    if (isAsItCame) field.value = came.get(field);
  }
  explain(field);
}

show(document);
setInterval(sayAgain, 1_000, document);

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

const inUtc = ({ value }) => new Date(value).toISOString().slice(0, LENGTH);

document.addEventListener("formdata", ({ target, formData }) => {
  for (const field of target.querySelectorAll(FIELDS)) {
    // What nobody has changed is sent as it came: the hour that a change of clocks repeats is two moments.
    if (field.value)
      formData.set(field.name, field.value === came.get(field) ? field.defaultValue : inUtc(field));
  }
});
