// Small comforts of the search page, which does its work without this file.

/** Up and down go from the field through what was found, and back: <search-keys>. */
class SearchKeys extends HTMLElement {
  connectedCallback() {
    this.addEventListener("keydown", (event) => this.#move(event));
  }

  #move(event) {
    if (event.altKey || event.ctrlKey || event.metaKey || event.isComposing) return;
    const field = this.querySelector("input[type='search']");
    const stops = [field, ...this.querySelectorAll("[data-result]")];
    const here = stops.indexOf(document.activeElement);
    if (here < 0) return;
    const there = { ArrowDown: here + 1, ArrowUp: here - 1, Home: here && 1, End: here && stops.length - 1, Escape: 0 };
    if (!(event.key in there) || (here === 0 && event.key !== "ArrowDown")) return;
    event.preventDefault();
    stops[Math.max(0, Math.min(there[event.key], stops.length - 1))].focus();
  }
}

customElements.define("search-keys", SearchKeys);
