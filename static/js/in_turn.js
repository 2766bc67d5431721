// Forms and steps whose answers replace each other: what is pressed before an answer has come is pressed again after
// it.

/** @type {(() => void)[]} */
const waiting = [];
/** @type {unknown} */
let current = null; // the request that is under way

/** Whether an answer is awaited. */
export const isBusy = () => current !== null;

/**
 * Submits the forms whose answers replace an element one after the other.
 * @param {string} target a selector
 */
export function takeTurns(target) {
  const isOurs = (/** @type {any} */ form) => form?.matches?.(`form[data-hx-target="${target}"]`);

  function hold(/** @type {any} */ event) {
    if (current && isOurs(event.target)) postpone(event, again(event.target, event.submitter));
  }
  // At the window, so before those who refuse what is sent twice, whichever module has loaded first.
  addEventListener("submit", hold, { capture: true });
  document.addEventListener("htmx-before-request", (/** @type {any} */ { detail: { ctx } }) => {
    if (isOurs(ctx.sourceElement)) current = ctx;
  });
}

const STEP = ".replay-steps a[data-hx-get]";

/** Follows the steps of a replay one after the other. */
export function stepInTurn() {
  document.addEventListener("click", holdStep, { capture: true });
  document.addEventListener("htmx-before-request", (/** @type {any} */ { detail: { ctx } }) => {
    if (ctx.sourceElement.matches?.(STEP)) current = ctx;
  });
}

function holdStep(/** @type {any} */ event) {
  const rel = event.target.closest?.(STEP)?.rel;
  if (!rel || !current) return;
  postpone(event, () => {
    const step = /** @type {any} */ (document.querySelector(`${STEP}[rel=${rel}]`));
    if (step) step.click();
    else waiting.length = 0;
  });
}

function postpone(/** @type {Event} */ event, /** @type {() => void} */ press) {
  event.preventDefault();
  event.stopImmediatePropagation();
  waiting.push(press);
}

document.addEventListener("htmx-finally-request", (/** @type {any} */ { detail: { ctx } }) => {
  if (ctx !== current) return;
  current = null;
  if (ctx.status !== "swapped") waiting.length = 0;
  waiting.shift()?.();
});

// Returns a function that submits a form once more as it was submitted, if that is still possible.
function again(/** @type {any} */ form, /** @type {any} */ submitter) {
  const { name, value, dataset } = submitter ?? { dataset: {} };
  const typed = [...form.elements].find((field) => field.type === "text");
  const text = typed?.value;
  return () => {
    if (!form.isConnected) {
      waiting.length = 0; // what it was about is gone
      return;
    }
    const buttons = [...form.elements].filter((field) => field.type === "submit" && !field.disabled);
    const button = buttons.find((field) =>
      dataset.step ? field.dataset.step === dataset.step : field.name === name && field.value === value,
    );
    if (typed) typed.value = text;
    if (button) form.requestSubmit(button);
    else if (typed) form.requestSubmit();
    else waiting.length = 0;
  };
}
