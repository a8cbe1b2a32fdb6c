// The reference of the API. Without this file everything in it is unfolded by hand.

/** Finds operations and schemas by words, and unfolds what a link leads to: <api-reference>…</api-reference>. */
class ApiReference extends HTMLElement {
  connectedCallback() {
    this.querySelector("search").hidden = false;
    this.querySelector("input").addEventListener("input", ({ target }) => this.#find(target.value));
    window.addEventListener("hashchange", () => this.#unfold());
    this.#unfold();
  }

  #find(text) {
    const words = text.toLowerCase().split(/\s+/).filter(Boolean);
    let number = 0;
    for (const one of this.querySelectorAll("[data-find]")) {
      const said = one.querySelector("summary").textContent.toLowerCase();
      one.hidden = !words.every((word) => said.includes(word));
      if (!one.hidden) number += 1;
    }
    for (const group of this.querySelectorAll(".fold")) {
      group.hidden = group.querySelector("[data-find]:not([hidden])") === null;
      group.open = words.length > 0;
    }
    const status = this.querySelector("[role=status]");
    status.textContent = words.length > 0 ? status.dataset.found.replace("{number}", number) : "";
  }

  #unfold() {
    const place = document.getElementById(location.hash.slice(1));
    if (place?.closest("[hidden]")) {
      this.querySelector("input").value = "";
      this.#find("");
    }
    for (let fold = place?.closest("details"); fold; fold = fold.parentElement.closest("details")) fold.open = true;
    place?.scrollIntoView();
  }
}

customElements.define("api-reference", ApiReference);
