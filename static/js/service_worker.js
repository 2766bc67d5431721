// Shows a page of its own while there is no connection; everything else comes from the network, as without it.
// Shows notifications that the server pushes, and the number of games that wait on the icon of the installed app.
const PAGE = "/offline";
const CACHE = location.search; // one for each version, so that one that cannot be installed leaves the others alone

addEventListener("install", (event) => {
  skipWaiting();
  const kept = new URL(location.href).searchParams;
  // In the language of the page that installs this, which its account may be set to: no cookie says that.
  const headers = { "Accept-Language": kept.get("lang") ?? "" };
  const page = new Request(PAGE, { credentials: "omit", headers });
  event.waitUntil(caches.open(CACHE).then((cache) => cache.addAll([page, ...kept.getAll("with")])));
});

addEventListener("activate", (event) => {
  event.waitUntil(Promise.all([registration.navigationPreload?.enable(), dropOthers()]));
});

async function dropOthers() {
  const names = await caches.keys();
  await Promise.all(names.filter((name) => name !== CACHE).map((name) => caches.delete(name)));
}

addEventListener("fetch", (event) => {
  if (event.request.mode === "navigate" && event.request.method === "GET") {
    event.respondWith(visit(event));
  } else if (event.request.destination === "style" || event.request.destination === "font") {
    event.respondWith(fetch(event.request).catch(() => caches.match(event.request)));
  }
});

async function visit(event) {
  try {
    return (await event.preloadResponse) ?? (await fetch(event.request));
  } catch {
    return (await caches.match(PAGE, { ignoreVary: true })) ?? Response.error();
  }
}

addEventListener("push", (event) => {
  const { title, body, tag, url, turns } = event.data.json();
  const icon = "/static/icons/gorrion-192.png";
  event.waitUntil(
    Promise.all([
      registration.showNotification(title, { body, tag, icon, data: url }),
      navigator.setAppBadge?.(turns).catch(() => {}),
    ]),
  );
});

addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(goTo(new URL(event.notification.data, location.origin).href));
});

/** Opens a page of the site, or goes to it where it is open already. */
async function goTo(url) {
  const windows = await clients.matchAll({ type: "window" });
  const shown = windows.find((window) => window.url === url);
  await (shown ? shown.focus() : clients.openWindow(url));
}

// The push service gives the device another address, which replaces the one that the server knows.
addEventListener("pushsubscriptionchange", (event) => {
  event.waitUntil(renew(event));
});

async function renew({ oldSubscription, newSubscription }) {
  const subscription = newSubscription ?? (await subscribeAgain(oldSubscription));
  const body = new URLSearchParams({ subscription: JSON.stringify(subscription) });
  await fetch("/notifications/devices", { method: "POST", body });
}

/** Subscribes with the options of the old subscription; not all browsers tell which one that was. */
async function subscribeAgain(old) {
  const key = old?.options.applicationServerKey ?? (await publicKey());
  return registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
}

async function publicKey() {
  const answer = await fetch("/notifications/devices/key");
  return answer.text();
}
