// Reading without a connection: a worker keeps the pages that were seen; these say so.

/** Says that what is shown may be old: <offline-note hidden>…</offline-note>. */
class OfflineNote extends HTMLElement {
  connectedCallback() {
    const show = () => (this.hidden = navigator.onLine && !document.documentElement.dataset.kept);
    window.addEventListener("online", show);
    window.addEventListener("offline", show);
    show();
  }
}

/** Links to the pages that can be read now: <kept-pages hidden><ul></ul></kept-pages>. */
class KeptPages extends HTMLElement {
  async connectedCallback() {
    if (!("caches" in window)) return;
    const pages = await caches.open("pages-1");
    const rows = await Promise.all((await pages.keys()).reverse().map((request) => this.#row(pages, request)));
    this.querySelector("ul").replaceChildren(...rows);
    this.hidden = rows.length === 0;
  }

  async #row(pages, request) {
    const text = await (await pages.match(request, { ignoreVary: true })).text();
    const { title } = new DOMParser().parseFromString(text, "text/html");
    const link = document.createElement("a");
    link.href = request.url;
    link.textContent = title.replace(/ · Commonroom$/, "") || new URL(request.url).pathname;
    const row = document.createElement("li");
    row.className = "row";
    row.append(link);
    return row;
  }
}

customElements.define("kept-pages", KeptPages);
customElements.define("offline-note", OfflineNote);

/** Browsers have workers only where the connection is safe: by https, or on the machine itself. */
async function work() {
  const { serviceWorker } = navigator;
  if (serviceWorker === undefined) return;
  const isFirst = serviceWorker.controller === null;
  await serviceWorker.register("/service-worker.js");
  const { active } = await serviceWorker.ready;
  if (isFirst) active.postMessage({ keep: location.href });
}

const KEPT_HEADERS = ["Kept-For", "Cache-Control", "Content-Type"];
const withoutPlace = (address) => address.split("#")[0];

/** What htmx fetched, where that is the page that is open: as it is now, it is worth keeping. */
function fetchedPage(xhr) {
  const isThisPage = xhr.status === 200 && withoutPlace(xhr.responseURL) === withoutPlace(location.href);
  if (!isThisPage || !xhr.responseText.includes("<html ")) return undefined;
  const headers = KEPT_HEADERS.map((name) => [name, xhr.getResponseHeader(name) ?? ""]);
  return { address: xhr.responseURL, text: xhr.responseText, headers };
}

// After a deed that htmx sent, somebody else may be signed in, or nobody; and the page is another than
// the one that was kept, which a reload without a connection would show.
document.addEventListener("htmx:afterRequest", ({ detail: { xhr } }) => {
  const readBy = xhr.getResponseHeader("Kept-For");
  if (readBy) navigator.serviceWorker?.controller?.postMessage({ readBy, fetched: fetchedPage(xhr) });
});

work();
