// The size of the board, which its corner changes: by the pointer, or by the arrow keys. A classic script, since a module
// would run after the first paint.
(() => {
  const KEY = "board-size"; // in the browser's storage: percent of what the window allows
  const LEAST = 50;
  const CORNER = ".screen-corner";
  let size = 100;

  try {
    size = Number(localStorage.getItem(KEY)) || size;
  } catch {
    // Without storage the size lasts as long as the page.
  }

  function show(/** @type {number} */ wanted) {
    size = Math.min(100, Math.max(LEAST, Math.round(wanted)));
    document.documentElement.style.setProperty("--share", String(size / 100));
    for (const slider of document.querySelectorAll(CORNER)) {
      /** @type {HTMLInputElement} */ (slider).value = String(size);
    }
  }

  function keep() {
    try {
      localStorage.setItem(KEY, String(size));
    } catch {
      // As above.
    }
  }

  show(size);
  document.addEventListener("DOMContentLoaded", () => show(size));

  document.addEventListener("input", ({ target }) => {
    const slider = /** @type {HTMLInputElement} */ (target);
    if (!slider.matches(CORNER)) return;
    show(Number(slider.value));
    keep();
  });

  let dragged = 0; // the pixels of the full size, while the corner is dragged
  let offset = 0; // of the pointer from the size, in percent

  document.addEventListener("pointerdown", (event) => {
    const slider = /** @type {HTMLElement} */ (event.target);
    if (!slider.matches(CORNER) || !slider.parentElement) return;
    event.preventDefault();
    slider.focus();
    slider.setPointerCapture(event.pointerId);
    dragged = (slider.parentElement.clientWidth / size) * 100;
    offset = size - (event.clientX / dragged) * 100;
  });

  document.addEventListener("pointermove", (event) => {
    if (dragged) show(offset + (event.clientX / dragged) * 100);
  });

  document.addEventListener("pointerup", () => {
    if (dragged) keep();
    dragged = 0;
  });
})();
