// Small comforts of watchlists. Every page does its work without this file.

/** Rows that can be dragged by their grip; dropping one sends the row's own form with its new place. */
class SortableList extends HTMLElement {
  connectedCallback() {
    this.showGrips();
    // What is fetched anew in place brings new rows.
    new MutationObserver(() => this.showGrips()).observe(this, { childList: true, subtree: true });
    this.addEventListener("pointerdown", (event) => this.take(event));
  }

  showGrips() {
    for (const grip of this.querySelectorAll("[data-grip][hidden]")) grip.hidden = false;
  }

  take(event) {
    const row = event.target.closest("[data-grip]")?.closest("li");
    if (!row || event.button) return;
    event.preventDefault();
    const list = row.parentElement;
    const before = row.nextElementSibling;
    row.classList.add("is-dragged");
    row.setPointerCapture(event.pointerId);
    const move = ({ clientY }) => this.place(list, row, clientY);
    const end = ({ type }) => {
      row.removeEventListener("pointermove", move);
      row.classList.remove("is-dragged");
      if (type === "pointercancel") list.insertBefore(row, before);
      else if (row.nextElementSibling !== before) this.send(list, row);
    };
    row.addEventListener("pointermove", move);
    row.addEventListener("pointerup", end, { once: true });
    row.addEventListener("pointercancel", end, { once: true });
  }

  place(list, row, y) {
    const others = [...list.children].filter((one) => one !== row);
    const below = others.find((one) => {
      const { top, height } = one.getBoundingClientRect();
      return y < top + height / 2;
    });
    if (below !== row.nextElementSibling) list.insertBefore(row, below ?? null);
    const edge = 80;
    if (y < edge) scrollBy(0, -12);
    else if (y > innerHeight - edge) scrollBy(0, 12);
  }

  send(list, row) {
    const form = row.querySelector("form[data-move]");
    const place = document.createElement("input");
    place.type = "hidden";
    place.name = "place";
    place.value = String([...list.children].indexOf(row) + 1);
    form.append(place);
    form.requestSubmit();
    place.remove();
  }
}

customElements.define("sortable-list", SortableList);
