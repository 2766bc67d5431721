// Shows a page of its own while there is no connection. Everything else comes from the network, as without it.
const CACHE = "offline";
const PAGE = "/offline";

addEventListener("install", (event) => {
  const parts = new URL(location.href).searchParams.getAll("with");
  event.waitUntil(
    caches
      .delete(CACHE)
      .then(() => caches.open(CACHE))
      .then((cache) => cache.addAll([PAGE, ...parts])),
  );
});

addEventListener("activate", (event) => {
  event.waitUntil(registration.navigationPreload?.enable());
});

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
    return (await caches.match(PAGE)) ?? Response.error();
  }
}
