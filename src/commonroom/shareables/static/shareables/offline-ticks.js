// Ticks that are made without a connection wait in this browser, and are sent in their order once it is
// back. The list is <form data-later action="…">, its items are buttons called "tick" or "untick".

const list = () => document.querySelector("form[data-later]");
const place = (form) => `ticks ${new URL(form.action).pathname}`;
const waiting = (form) => JSON.parse(localStorage.getItem(place(form)) ?? "[]");

function remember(form, ticks) {
  if (ticks.length > 0) localStorage.setItem(place(form), JSON.stringify(ticks));
  else localStorage.removeItem(place(form));
}

/** Shows a tick as it will be. */
function mark(form, [name, id]) {
  const button = form.querySelector(`button[value="${CSS.escape(id)}"]`);
  button?.setAttribute("aria-checked", String(name === "tick"));
  button?.setAttribute("name", name === "tick" ? "untick" : "tick");
}

/** Lets a tick wait behind those that wait already. */
function later(form, parameters) {
  const [tick] = [...parameters.entries()].filter(([name]) => name === "tick" || name === "untick");
  remember(form, [...waiting(form), tick]);
  mark(form, tick);
}

/** Sends what waits, one after the other; of several windows one does it. */
async function send() {
  const form = list();
  if (form === null || waiting(form).length === 0) return;
  await navigator.locks.request(place(form), async () => {
    for (let ticks = waiting(form); ticks.length > 0; ticks = waiting(form)) {
      const answer = await fetch(form.action, { method: "POST", body: new URLSearchParams([ticks[0]]) });
      if (answer.status >= 500 || answer.status === 429) throw new Error(answer.statusText);
      // What can never be done, because the item is gone or the page is closed, is done with.
      remember(form, waiting(form).slice(1));
    }
  });
  // From the list and not from the form, whose button would be sent along as it was pressed.
  const how = { source: form.querySelector("ul"), target: "#page", select: "#page", swap: "become" };
  window.htmx?.ajax("GET", location.pathname, how);
}

const trySoon = () => send().catch(() => {}); // it goes on when the connection is back, or the page is

document.addEventListener("htmx:sendError", ({ detail }) => {
  const form = detail.elt.closest("form[data-later]");
  if (form !== null && detail.requestConfig.verb === "post") later(form, detail.requestConfig.formData);
});

// As long as others wait, a new one waits with them: they arrive in their order.
document.addEventListener("htmx:beforeRequest", (event) => {
  const { elt, requestConfig } = event.detail;
  const form = elt.closest("form[data-later]");
  if (form === null || requestConfig.verb !== "post" || waiting(form).length === 0) return;
  event.preventDefault();
  later(form, requestConfig.formData);
  trySoon();
});

// A page that came from the browser's own memory, or from the server meanwhile, does not know of them.
const markAll = () => {
  const form = list();
  if (form !== null) for (const tick of waiting(form)) mark(form, tick);
};
document.addEventListener("htmx:afterSettle", markAll);
document.addEventListener("DOMContentLoaded", () => {
  markAll();
  trySoon();
});
window.addEventListener("online", trySoon);
