/*
 * Keeps the whole client, so that an installed one opens without a network and tells what is missing.
 *
 * The build puts the names of all files in place of FILES. Pages come from the network first, so that a new version of
 * the server is seen at once. Files under assets/ have a digest in their names and never change. Requests to the
 * server's API are never kept.
 */
const FILES = [];
const CACHE = `palatine ${FILES.join(" ")}`;
const base = new URL("./", self.registration?.scope ?? self.location.href);

self.addEventListener("install", (event) => {
  const addresses = [base.href, ...FILES.map((file) => new URL(file, base).href)];
  event.waitUntil(caches.open(CACHE).then((cache) => cache.addAll(addresses)));
  self.skipWaiting();
});

self.addEventListener("activate", (event) => {
  const clean = async () => {
    for (const name of await caches.keys()) if (name !== CACHE) await caches.delete(name);
    await self.clients.claim();
  };
  event.waitUntil(clean());
});

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== "GET" || url.origin !== base.origin || !url.href.startsWith(base.href)) return;
  const path = url.href.slice(base.href.length).split(/[?#]/)[0];
  if (FILES.includes(path)) event.respondWith(fromCache(request));
  else if (request.mode === "navigate" && !/^(v1|docs|games)\b/.test(path))
    event.respondWith(fromNetwork(request, path));
});

async function fromCache(request) {
  const kept = await (await caches.open(CACHE)).match(request, { ignoreSearch: true, ignoreVary: true });
  return kept ?? fetch(request);
}

/** Without a network, the kept page is sent; its links are relative to <base>, which depends on the address. */
async function fromNetwork(request, path) {
  try {
    return await fetch(request);
  } catch {
    const kept = await (await caches.open(CACHE)).match(base.href);
    if (!kept) return Response.error();
    const up = "../".repeat(path.split("/").length - 1) || "./";
    const page = (await kept.text()).replace('<base href="./" />', `<base href="${up}" />`);
    return new Response(page, { headers: kept.headers });
  }
}

/** A notification leads to the page of its table. */
self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  const show = async () => {
    const pages = await self.clients.matchAll({ type: "window" });
    const page = pages.find(({ url }) => url.startsWith(event.notification.data));
    return page ? page.focus() : self.clients.openWindow(event.notification.data);
  };
  event.waitUntil(show());
});
