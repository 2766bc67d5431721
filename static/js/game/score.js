// The score in the question before a pass, as it is when the question opens.
import { byId, numberOf, text } from "../dom.js";

const figureOf = (seat) => seat.querySelector(".seat-figure").textContent.trim();

document.addEventListener(
  "toggle",
  (event) => {
    const place = event.target.querySelector("[data-score]");
    if (!place || !event.target.open) return;
    const { role } = byId("game").dataset;
    const seats = [...document.querySelectorAll(".seat")];
    const own = figureOf(byId(`seat-${role}`));
    const other = figureOf(seats.find((seat) => seat.id !== `seat-${role}`));
    const lead = numberOf(own) - numberOf(other);
    place.textContent = text(lead > 0 ? "ahead" : lead < 0 ? "behind" : "even", { own, other });
  },
  true,
);
