// Copies a text field to the clipboard: <button data-copy="ID of the field">, or shares the link in it: data-share.
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

// Browsers of phones share links; others have no such button.
document.documentElement.toggleAttribute("data-shares", "share" in navigator);

document.addEventListener("click", ({ target }) => {
  const button = target.closest("[data-share]");
  if (button) navigator.share({ url: byId(button.dataset.share).value }).catch(() => {}); // or not, after all
});
