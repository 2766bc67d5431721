// Passkeys: <form data-passkey="create" or "get">, whose field `credential` a passkey of this device fills.
// Browsers without passkeys do not show these forms.
import { complain, complainOf } from "./notices.js";
import { text } from "./dom.js";

const isSupported = Boolean(window.PublicKeyCredential?.parseRequestOptionsFromJSON);

async function ask(form) {
  const answer = await fetch(`${form.getAttribute("action")}/options`, { method: "POST" });
  if (answer.redirected) return location.assign(answer.url); // to confirm who is there
  if (!answer.ok) return complainOf(answer.status, "");
  const options = await answer.json();
  const credential =
    form.dataset.passkey === "create"
      ? await navigator.credentials.create({
          publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(options),
        })
      : await navigator.credentials.get({
          publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(options),
        });
  form.elements.credential.value = JSON.stringify(credential);
  form.submit();
}

for (const form of document.querySelectorAll("[data-passkey]")) {
  form.hidden = !isSupported;
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    try {
      await ask(form);
    } catch {
      complain(text("no_passkey")); // cancelled, too late, or none of the site's passkeys is on this device
    }
  });
}
