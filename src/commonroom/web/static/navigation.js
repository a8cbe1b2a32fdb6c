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
  const menu = event.target.closest("details[data-menu][open], dialog[open]");
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
  document.body.append(sheet);
  sheet.addEventListener("click", ({ target }) => target === sheet && sheet.close()); // beside it
  return sheet;
}
function wantNewSheet() {
  newSheet ??= fetchNewSheet().catch(() => (newSheet = null));
  return newSheet;
}
for (const wanted of ["pointerover", "focusin"]) {
  document.addEventListener(wanted, ({ target }) => target.closest("[data-new]") && wantNewSheet());
}
document.addEventListener("click", async (event) => {
  const isPlain = !(event.altKey || event.ctrlKey || event.metaKey || event.shiftKey);
  const link = event.target.closest("[data-new]");
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
for (const hint of document.querySelectorAll(".side-search kbd")) hint.hidden = false;
