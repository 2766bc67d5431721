// Copies a text field to the clipboard: <button data-copy="ID of the field">. A field with data-absolute holds an
// address of this site, which is worth nothing to others without the site's name.
(() => {
  function complete() {
    for (const field of document.querySelectorAll("[data-absolute]")) {
      field.value = new URL(field.value, location.href).href;
    }
  }

  complete();
  document.addEventListener("htmx:after:swap", complete);

  document.addEventListener("click", async (event) => {
    const button = event.target.closest("[data-copy]");
    if (!button) return;
    const field = document.getElementById(button.dataset.copy);
    field.select();
    try {
      await navigator.clipboard.writeText(field.value);
      button.textContent = "Copied";
    } catch {
      button.textContent = "Press Ctrl+C";
    }
  });
})();
