// The announcement above a page, until it is closed. A classic script, since a module would run after the first paint.
(() => {
  const banner = document.querySelector(".banner");
  const text = banner.querySelector("p").textContent;

  try {
    if (localStorage.getItem("banner") === text) banner.remove();
  } catch {
    // Without storage it is closed as long as the page lasts.
  }

  banner.querySelector("button").addEventListener("click", () => {
    banner.remove();
    document.getElementById("main").focus({ preventScroll: true }); // it was on the button
    try {
      localStorage.setItem("banner", text);
    } catch {
      // As above.
    }
  });
})();
