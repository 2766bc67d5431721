// Lessons: a click on a closed square tries it; the squares that cause the answer are marked.
import { byId } from "./dom.js";
import { takeTurns } from "./in_turn.js";
import "./squares.js";

const KINDS = { square: "sq-asked", own: "sq-own", opposing: "sq-opposing" };

takeTurns("#lesson");
takeTurns("#puzzle");

document.addEventListener("click", (event) => {
  const cell = event.target.closest?.('#lesson-board [role="gridcell"]');
  const field = byId("lesson-move");
  if (!cell || !field || cell.querySelector("button")) return;
  field.value = cell.id.slice("sq-".length);
  field.form.requestSubmit();
});

// The answer to a try. Other swaps, such as those of the header, change nothing here.
document.addEventListener("htmx-after-swap", (event) => {
  if (!event.detail.ctx.target?.matches?.("#lesson, #puzzle")) return;
  const answer = document.querySelector("#lesson-reply [data-square]");
  for (const [name, kind] of Object.entries(KINDS)) {
    for (const marked of document.querySelectorAll(`#lesson-board .${kind}`)) marked.classList.remove(kind);
    for (const square of (answer?.dataset[name] ?? "").split(" ").filter(Boolean)) {
      byId(`sq-${square}`)?.classList.add(kind);
    }
  }
  const field = byId("lesson-move");
  if (field) field.value = "";
  byId("lesson-next")?.focus({ preventScroll: true });
  // On a phone they are below the board, which moves as little as possible.
  for (const id of ["lesson-reply", "lesson-next"]) byId(id)?.scrollIntoView({ block: "nearest" });
});
