// Views of the game page: the board flipped, and zen, which shows little else. Both last as long as the tab.
import { byId } from "../dom.js";
import { tab } from "../storage.js";

const VIEWS = {
  flipped: (isOn) => byId("game").classList.toggle("game-flipped", isOn),
  zen: (isOn) => document.documentElement.toggleAttribute("data-zen", isOn),
};

function show(button, isOn) {
  VIEWS[button.dataset.view](isOn);
  button.setAttribute("aria-pressed", isOn);
  tab.keep(button.dataset.view, isOn ? "" : null);
}

for (const button of document.querySelectorAll("[data-view]")) {
  button.addEventListener("click", () => show(button, button.getAttribute("aria-pressed") === "false"));
  if (tab.recall(button.dataset.view) !== null) show(button, true);
}

document.addEventListener("keydown", (event) => {
  const zen = document.querySelector('[data-view="zen"][aria-pressed="true"]');
  if (event.key === "Escape" && zen) show(zen, false);
});
