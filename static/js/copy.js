// Copies a text field to the clipboard: <button data-copy="ID of the field">.
import { byId, text } from "./dom.js";

document.addEventListener("click", async (event) => {
  const button = event.target.closest("[data-copy]");
  if (!button) return;
  const field = byId(button.dataset.copy);
  field.select();
  try {
    await navigator.clipboard.writeText(field.value);
    button.textContent = text("copied");
  } catch {
    button.textContent = text("copy_by_keys");
  }
});
