// Forms whose answers replace each other: what is pressed before an answer has come is pressed again after it.

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
  const isOurs = (/** @type {any} */ form) => form?.matches?.(`form[hx-target="${target}"]`);

  function postpone(/** @type {any} */ event) {
    if (!current || !isOurs(event.target)) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    waiting.push(again(event.target, event.submitter));
  }
  document.addEventListener("submit", postpone, { capture: true });
  document.addEventListener("htmx:before:request", (/** @type {any} */ { detail: { ctx } }) => {
    if (isOurs(ctx.sourceElement)) current = ctx;
  });
  document.addEventListener("htmx:finally:request", (/** @type {any} */ { detail: { ctx } }) => {
    if (ctx !== current) return;
    current = null;
    if (ctx.status !== "swapped") waiting.length = 0;
    waiting.shift()?.();
  });
}

// Returns a function that submits a form once more as it was submitted, if that is still possible.
function again(/** @type {any} */ form, /** @type {any} */ submitter) {
  const { name, value, dataset } = submitter ?? { dataset: {} };
  const typed = [...form.elements].find((field) => field.type === "text");
  const text = typed?.value;
  return () => {
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
