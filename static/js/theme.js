// Light, dark or system colours. A classic script, since a module would run after the first paint.
(() => {
  const root = document.documentElement;
  const CHOICES = ["system", "light", "dark"];
  let choice = "system";

  const isSignedIn = "account" in root.dataset; // then the account stores the choice, for every browser

  try {
    choice = (isSignedIn ? root.dataset.theme : localStorage.getItem("theme")) || "system";
  } catch {
    // Without storage the choice lasts as long as the page.
  }

  function show() {
    if (choice === "system") delete root.dataset.theme;
    else root.dataset.theme = choice;
    for (const button of document.querySelectorAll("[data-theme-button]")) {
      const text = JSON.parse(button.dataset.texts)[choice];
      button.lastElementChild.textContent = text;
      button.title = text;
    }
  }

  root.dataset.js = "";
  if (!CHOICES.includes(choice)) choice = "system";
  show();
  document.addEventListener("DOMContentLoaded", show);
  document.addEventListener("click", (event) => {
    if (!event.target.closest("[data-theme-button]")) return;
    choice = CHOICES[(CHOICES.indexOf(choice) + 1) % CHOICES.length];
    if (isSignedIn) {
      const body = new URLSearchParams({ once: `${root.dataset.account}.`, theme: choice });
      fetch("/account/preferences", { method: "POST", body, redirect: "manual" });
    }
    try {
      localStorage.setItem("theme", choice);
    } catch {
      // As above.
    }
    show();
  });
})();
