// Small comforts of the navigation. Every menu opens, and every link leads on, without this file.

// Menus that unfold close when somebody touches elsewhere, goes on with Tab, or presses Escape.
const openMenus = () => document.querySelectorAll("details[data-menu][open]");
function closeMenusWithout(node) {
  for (const menu of openMenus()) if (!menu.contains(node)) menu.open = false;
}
document.addEventListener("click", ({ target }) => closeMenusWithout(target));
document.addEventListener("focusin", ({ target }) => closeMenusWithout(target));
document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape") return;
  for (const menu of openMenus()) {
    menu.open = false;
    menu.querySelector("summary").focus();
  }
});

// Up and down go through what a menu or the sheet holds, Home and End to its first and last.
document.addEventListener("keydown", (event) => {
  if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
  const menu = event.target.closest("details[data-menu][open], #new-sheet[open]");
  const stops = [...(menu?.querySelectorAll("li a, li button") ?? [])];
  const here = stops.indexOf(document.activeElement);
  const there = { ArrowDown: here + 1, ArrowUp: (here < 1 ? stops.length : here) - 1, Home: 0, End: stops.length - 1 };
  if (stops.length === 0 || !(event.key in there)) return;
  event.preventDefault();
  stops.at(there[event.key] % stops.length).focus();
});

// Where something new is made, what would be a page of its own opens over the one that is there. It is
// taken from that page, as soon as somebody seems to want it.
let newSheet = null;
async function fetchNewSheet() {
  const answer = await fetch("/new", { headers: { Accept: "text/html" } });
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  const sheet = page.getElementById("new-sheet");
  if (sheet === null) throw new Error("nothing can be made");
  document.body.append(sheet);
  sheet.addEventListener("click", ({ target }) => target === sheet && sheet.close()); // beside it
  return sheet;
}
function wantNewSheet() {
  newSheet ??= fetchNewSheet().catch(() => (newSheet = null));
  return newSheet;
}
for (const wanted of ["pointerover", "focusin"]) {
  document.addEventListener(wanted, ({ target }) => target.closest("[data-new]:not([aria-current])") && wantNewSheet());
}
document.addEventListener("click", async (event) => {
  const isPlain = !(event.altKey || event.ctrlKey || event.metaKey || event.shiftKey);
  const link = event.target.closest("[data-new]:not([aria-current])"); // whoever is there is there already
  if (!link || !isPlain) return;
  event.preventDefault();
  const sheet = await wantNewSheet();
  if (!sheet) location.assign(link.href); // which says why
  else if (!sheet.open) {
    sheet.showModal();
    sheet.querySelector("li a").focus();
  }
});

// Whoever comes back finds the page as it was before a menu was opened.
addEventListener("pagehide", () => {
  closeMenusWithout(null);
  document.getElementById("new-sheet")?.close();
});

// A slash, Ctrl-K or Cmd-K goes to the search box: the page's own, the one beside it, or its page.
const isMac = navigator.platform.startsWith("Mac");
const isTyping = (node) => node.isContentEditable || node.matches("input, textarea, select");
function asksForSearch(event) {
  if (event.altKey || event.isComposing) return false;
  const isCommand = isMac ? event.metaKey && !event.ctrlKey : event.ctrlKey && !event.metaKey;
  if (isCommand) return !event.shiftKey && event.key.toLowerCase() === "k";
  return event.key === "/" && !event.ctrlKey && !event.metaKey && !isTyping(event.target);
}
document.addEventListener("keydown", (event) => {
  if (!asksForSearch(event) || document.querySelector("dialog[open]")) return;
  event.preventDefault();
  const fields = ["search-keys input[type='search']", ".side-search input"].map((one) => document.querySelector(one));
  const field = fields.find((one) => one?.getClientRects().length > 0);
  if (!field) location.assign("/search");
  else {
    field.focus();
    field.select();
  }
});

/** What is found as one types, below the box and over the page: <quick-search> around its form. The search
    page makes it, and shows the same when the form is sent. */
class QuickSearch extends HTMLElement {
  static #PAUSE_MILLISECONDS = 250;
  static #AGAIN_MILLISECONDS = 1000;
  #panel = null;
  #timer = null;
  #asked = null;

  connectedCallback() {
    this.querySelector("kbd").hidden = false;
    this.addEventListener("input", () => {
      clearTimeout(this.#timer);
      this.#timer = setTimeout(() => this.#find(), QuickSearch.#PAUSE_MILLISECONDS);
    });
    this.addEventListener("focusin", () => this.#field.value.trim() && this.#panel && this.#show());
    this.addEventListener("focusout", ({ relatedTarget }) => relatedTarget && !this.contains(relatedTarget) && this.#hide());
    this.addEventListener("keydown", (event) => this.#move(event));
    document.addEventListener("click", ({ target }) => !this.contains(target) && this.#hide());
  }

  get #field() {
    return this.querySelector("input");
  }

  async #find() {
    this.#asked?.abort();
    const text = this.#field.value.trim();
    // The search page has a box of its own, which does this.
    if (!text || document.querySelector("search-keys")) return this.#hide();
    this.#asked = new AbortController();
    try {
      const address = `/search?${new URLSearchParams({ q: text })}`;
      const answer = await fetch(address, { headers: { Accept: "text/html" }, signal: this.#asked.signal });
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      const found = answer.ok && page.getElementById("found");
      if (!found) return this.#hide();
      this.#takeStyles(page);
      if (this.#panel) renew(this.#panel.firstElementChild, found);
      else {
        this.#panel = document.createElement("div");
        this.#panel.className = "quick-found";
        this.#panel.append(found);
        this.append(this.#panel);
      }
      this.#show();
    } catch {
      // Somebody typed on, or nobody answers: the form still leads to the page.
    }
  }

  /** What is found looks as on its own page. */
  #takeStyles(page) {
    for (const sheet of page.querySelectorAll("link[rel='stylesheet']")) {
      const address = sheet.getAttribute("href");
      if (!document.querySelector(`link[href="${address}"]`)) document.head.append(sheet);
    }
  }

  #show() {
    const { bottom, left } = this.getBoundingClientRect();
    this.#panel.style.top = `${bottom + 4}px`;
    this.#panel.style.left = `${left}px`;
    this.#panel.hidden = false;
    // While the index is built, what is not found may be a second later.
    if (this.#panel.querySelector("[data-again]")) this.#timer = setTimeout(() => this.#find(), QuickSearch.#AGAIN_MILLISECONDS);
  }

  #hide() {
    clearTimeout(this.#timer);
    if (this.#panel) this.#panel.hidden = true;
  }

  #move(event) {
    if (event.altKey || event.ctrlKey || event.metaKey || event.isComposing || !this.#panel || this.#panel.hidden) return;
    const stops = [this.#field, ...this.#panel.querySelectorAll("[data-result]")];
    const here = stops.indexOf(document.activeElement);
    const there = { ArrowDown: here + 1, ArrowUp: here - 1 };
    if (event.key === "Escape") {
      this.#field.focus();
      this.#hide();
    } else if (here >= 0 && event.key in there) {
      stops[Math.max(0, Math.min(there[event.key], stops.length - 1))].focus();
    } else return;
    event.preventDefault();
  }
}
customElements.define("quick-search", QuickSearch);
