// Keeps the pages that were seen, so that they can be read without a connection, and shows what is
// pushed while no page is open.

const PAGES = "pages-1";
const FILES = "files-1";
const PICTURES = "pictures-1";
const MAX_PAGES = 60;
const MAX_FILES = 300;
const OFFLINE = "/offline";
/** Where pictures of things are, as the rooms declare; what they show never changes under one address. */
const SHOWN = PICTURE_PATHS; // the server writes the list here

self.addEventListener("install", (event) => event.waitUntil(prepare().then(() => self.skipWaiting())));
self.addEventListener("activate", (event) => event.waitUntil(tidy().then(() => self.clients.claim())));

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const address = new URL(request.url);
  if (request.method !== "GET" || address.origin !== self.location.origin) return;
  if (request.mode === "navigate") event.respondWith(page(event));
  else if (isOurs(address)) event.respondWith(file(FILES, request));
  else if (SHOWN.some((start) => address.pathname.startsWith(start))) event.respondWith(file(PICTURES, request));
});

// A page says for whom it is, and what it has become; and the first one, which came before this worker,
// asks to be kept.
self.addEventListener("message", (event) => {
  const { readBy, fetched, keep: address } = event.data;
  if (fetched) event.waitUntil(keep(fetched.address, new Response(fetched.text, { headers: fetched.headers })));
  else if (readBy) event.waitUntil(inTurn(() => forgetAllBut(readBy)));
  if (address) event.waitUntil(fetch(address).then((answer) => keep(address, answer)));
});

let before = Promise.resolve();

/** One after the other, in the order in which they came: of two states of a page the later one stays. */
function inTurn(work) {
  before = before.then(work, work);
  return before;
}

/** The page for what was never seen, and all that it looks like. */
async function prepare() {
  const files = await caches.open(FILES);
  // As a guest gets it: whoever is here now may be gone when it is shown.
  const answer = await fetch(OFFLINE, { credentials: "omit" });
  const text = await answer.clone().text();
  const parts = [...text.matchAll(/(?:href|src)="(\/static\/[^"]+)"/g)].map((found) => found[1]);
  await files.put(OFFLINE, answer);
  await files.addAll([...new Set(parts)]);
}

async function tidy() {
  const old = (await caches.keys()).filter((name) => ![PAGES, FILES, PICTURES].includes(name));
  await Promise.all(old.map((name) => caches.delete(name)));
}

/** A page as it is now; where nobody answers, as it was. */
async function page(event) {
  const { url } = event.request;
  try {
    const answer = await fetch(event.request);
    event.waitUntil(keep(url, answer.clone()));
    return answer;
  } catch {
    const pages = await caches.open(PAGES);
    const files = await caches.open(FILES);
    const found = (await pages.match(url, { ignoreVary: true })) ?? (await files.match(OFFLINE, { ignoreVary: true }));
    return found ?? Response.error();
  }
}

const keep = (address, answer) => inTurn(() => keepNow(address, answer));

async function keepNow(address, answer) {
  const readBy = answer.headers.get("Kept-For");
  if (readBy === null || answer.status >= 500) return;
  await forgetAllBut(readBy);
  const pages = await caches.open(PAGES);
  await pages.delete(address, { ignoreVary: true });
  const secret = (answer.headers.get("Cache-Control") ?? "").includes("no-store");
  if (!answer.ok || answer.redirected || secret) return;
  await pages.put(address, await dated(answer));
  await trim(pages, MAX_PAGES);
}

/** A page that knows of itself that it is not fresh. */
async function dated(answer) {
  const text = await answer.text();
  const headers = new Headers(answer.headers);
  for (const name of ["Content-Encoding", "Content-Length", "Set-Cookie"]) headers.delete(name);
  const unsaid = text.replace(/(<div class="said"[^>]*>).*?<\/div>/s, "$1</div>"); // it was said once
  return new Response(unsaid.replace("<html ", `<html data-kept="${new Date().toISOString()}" `), { headers });
}

/** Whoever else used this browser left pages and pictures behind that are not to be seen. */
async function forgetAllBut(readBy) {
  const pages = await caches.open(PAGES);
  for (const request of await pages.keys()) {
    const kept = await pages.match(request, { ignoreVary: true });
    if (kept?.headers.get("Kept-For") === readBy) continue;
    await Promise.all([PAGES, PICTURES].map((name) => caches.delete(name)));
    return;
  }
}

/** What never changes: kept once, and then no longer asked for. */
async function file(where, request) {
  const files = await caches.open(where);
  const found = await files.match(request, { ignoreVary: true });
  if (found) return found;
  const answer = await fetch(request);
  if (answer.ok) {
    await files.put(request, answer.clone());
    await trim(files, MAX_FILES);
  }
  return answer;
}

/** Whether an address is of a file that looks the same for everybody, and says its version. */
function isOurs({ pathname, searchParams }) {
  return pathname.startsWith("/static/") && (searchParams.has("v") || pathname.startsWith("/static/fonts/"));
}

/** What was kept first goes first. */
async function trim(cache, most) {
  const keys = await cache.keys();
  for (const key of keys.slice(0, Math.max(0, keys.length - most))) await cache.delete(key);
}

self.addEventListener("push", (event) => {
  let message = {};
  try {
    message = event.data?.json() ?? {};
  } catch {
    // Something must be shown all the same: browsers take the right to push away otherwise.
  }
  event.waitUntil(
    self.registration.showNotification(message.title || "Commonroom", {
      body: message.text || "",
      tag: message.tag || "commonroom",
      icon: "/static/icons/192.png",
      data: { link: message.link || "/notifications" },
    }),
  );
});

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(show(event.notification.data?.link ?? "/notifications"));
});

/** Opens a page of this house in a window that is there already, or in a new one. */
async function show(link) {
  const address = new URL(link, self.location.origin);
  if (address.origin !== self.location.origin) return;
  const [open] = await self.clients.matchAll({ type: "window" });
  if (open === undefined) {
    await self.clients.openWindow(address.href);
    return;
  }
  await open.focus();
  await open.navigate(address.href);
}
