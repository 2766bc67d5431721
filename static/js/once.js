// Forms are sent once: while one is under way it says so and is not sent again, and what is sent again after a lost
// answer has the same key, by which the server knows it. Forms with a key of their own, or that need none, look after
// themselves.

import { tab } from "./storage.js";

const FIELD = "once";
const SENT = "sent"; // of the tab: what a form asked for, and its key, until it is answered
const PATIENCE = 10_000; // milliseconds; a download, or a page that was stopped, does not say when it is over

const FORMS = 'form[method="post"]:not([data-own-key])';

const CHOICES = "#turn, #actions, #choices, #attendance"; // the parts of a game's page that are drawn for a version

/** @type {Map<HTMLFormElement, string>} */
const busy = new Map(); // forms under way, and what they asked for: an update may turn a form into another one

/** @type {WeakMap<object, string>} */
const asked = new WeakMap(); // requests of htmx, and what they ask for

/** @type {WeakMap<HTMLFormElement, string[]>} */
const unanswered = new WeakMap(); // what a form asked for, and its key: updates of a page remove the field

/** A random name for a request; `crypto.randomUUID` needs HTTPS. */
export const newKey = () =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join(
    "",
  );

/**
 * Where a form leads and, if it is among the choices in a game, the version of the game: what follows another version
 * is asked for anew, while a line of chat is the same at each version.
 */
function purposeOf(/** @type {HTMLFormElement} */ form) {
  const version = form.closest(CHOICES) ? document.getElementById("version")?.dataset.version : "";
  return `${form.getAttribute("action")} ${version}`;
}

/** A key for a form; like those of the server, it begins with the account that the page is for, if there is one. */
function newFormKey() {
  const account = document.documentElement.dataset.account;
  return account ? `${account}.${newKey()}` : newKey();
}

function keyOf(/** @type {HTMLFormElement} */ form) {
  let field = /** @type {HTMLInputElement | null} */ (form.querySelector(`:scope > [name=${FIELD}]`));
  if (!field) {
    const [purpose, key] = unanswered.get(form) ?? [];
    field = document.createElement("input");
    const value = purpose === purposeOf(form) ? key : newFormKey();
    Object.assign(field, { type: "hidden", name: FIELD, value });
    form.prepend(field); // the server looks for it there
  }
  return field;
}

/** Whether a status leaves open what was done: something failed, here or at a proxy. */
const isFailed = (/** @type {number | undefined} */ status = 200) => status >= 500;

function begin(/** @type {HTMLFormElement} */ form) {
  busy.set(form, purposeOf(form));
  form.setAttribute("aria-busy", "true");
}

function end(/** @type {HTMLFormElement} */ form) {
  busy.delete(form);
  form.removeAttribute("aria-busy");
}

// The second click of a double click means what the first one did, even if an update has put another button there.
let pressed; // where the form of the last click leads

document.addEventListener(
  "click",
  (event) => {
    const form = event.target.closest?.("button")?.form;
    const action = form?.getAttribute("action");
    if (event.detail > 1 && form?.matches(FORMS) && action !== pressed) {
      event.preventDefault();
      event.stopImmediatePropagation();
    } else pressed = action;
  },
  { capture: true },
);

document.addEventListener(
  "submit",
  (event) => {
    const form = /** @type {HTMLFormElement} */ (event.target);
    if (!form.matches(FORMS)) return;
    if (busy.get(form) === purposeOf(form)) {
      event.preventDefault();
      event.stopImmediatePropagation();
    } else unanswered.set(form, [purposeOf(form), keyOf(form).value]);
  },
  { capture: true },
);

// Plain forms: the next page ends it. Those that a script or htmx sends were prevented by now.
addEventListener("submit", (event) => {
  const form = /** @type {HTMLFormElement} */ (event.target);
  if (event.defaultPrevented || !form.matches(FORMS)) return;
  begin(form);
  tab.keep(SENT, JSON.stringify([purposeOf(form), keyOf(form).value]));
  setTimeout(end, PATIENCE, form);
});

document.addEventListener("htmx-before-request", (/** @type {any} */ { detail: { ctx } }) => {
  if (!ctx.sourceElement.matches?.(FORMS)) return;
  begin(ctx.sourceElement);
  asked.set(ctx, purposeOf(ctx.sourceElement));
});

// Before other scripts send the form again.
document.addEventListener(
  "htmx-finally-request",
  (/** @type {any} */ { detail: { ctx } }) => {
    const form = ctx.sourceElement;
    const purpose = asked.get(ctx);
    if (!purpose || ctx.hx?.redirect) return; // the next page ends it
    end(form);
    if (!ctx.response || isFailed(ctx.response.status) || ctx.text === undefined) return;
    if (unanswered.get(form)?.[0] === purpose) unanswered.delete(form);
    if (purposeOf(form) === purpose) keyOf(form).value = newFormKey();
  },
  { capture: true },
);

addEventListener("pageshow", (event) => {
  for (const form of busy.keys()) end(form);
  const [entry] = /** @type {PerformanceNavigationTiming[]} */ (performance.getEntriesByType("navigation"));
  if (!event.persisted && entry?.type === "navigate" && !isFailed(entry.responseStatus)) {
    tab.keep(SENT, null); // this page is the answer
    return;
  }
  // The reader has come back: to send again what was not answered, or something else.
  const [purpose, key] = JSON.parse(tab.recall(SENT) ?? "[]");
  for (const form of /** @type {NodeListOf<HTMLFormElement>} */ (document.querySelectorAll(FORMS)))
    keyOf(form).value = purposeOf(form) === purpose ? key : newFormKey();
});
