// Shows what is pushed while no page is open, and opens the page it is about. It keeps nothing.

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
