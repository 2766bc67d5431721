// The switch for notifications on this device. The list of all devices works without scripts.
import { byId } from "./dom.js";

const form = byId("device");

/** Shows only the parts of the form that belong to a state. */
function show(state) {
  for (const part of form.querySelectorAll("[data-state]")) part.hidden = part.dataset.state !== state;
}

async function hashOf(text) {
  const hash = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return [...new Uint8Array(hash)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

function isSupported() {
  return "serviceWorker" in navigator && "PushManager" in globalThis && "Notification" in globalThis;
}

/** Shows whether this device is in the list; leaving the list also ends its subscription. */
async function start() {
  if (!isSupported()) return show("unable");
  const registration = await navigator.serviceWorker.ready;
  const subscription = await registration.pushManager.getSubscription();
  if (!subscription) return;
  const row = document.querySelector(`[data-device="${await hashOf(subscription.endpoint)}"]`);
  if (!row) return;
  show("on");
  row.querySelector("form").addEventListener("submit", (event) => {
    event.preventDefault();
    subscription.unsubscribe().finally(() => event.target.submit());
  });
}

async function subscribe() {
  if ((await Notification.requestPermission()) !== "granted") return show("denied");
  try {
    const registration = await navigator.serviceWorker.ready;
    const subscription = await registration.pushManager.subscribe({
      userVisibleOnly: true,
      applicationServerKey: form.dataset.key,
    });
    form.elements.subscription.value = JSON.stringify(subscription);
    form.submit();
  } catch {
    show("failed");
  }
}

form.addEventListener("submit", (event) => {
  event.preventDefault();
  subscribe();
});
start();
