// Small comforts of watchlists. Every page does its work without this file.

/** Lets the rows of the list beside it be dragged by their grips; dropping one sends the row's own form with its new
    place. It stands beside the list and not around it, because the list is fetched anew in place. */
class SortableList extends HTMLElement {
  connectedCallback() {
    this.parentElement.addEventListener("pointerdown", (event) => this.take(event));
    // A note that was saved stands below its title.
    this.parentElement.addEventListener("htmx:afterRequest", ({ target, detail }) => {
      if (detail.successful && target.matches(".note-form")) target.closest("details").open = false;
    });
  }

  take(event) {
    const row = event.target.closest("[data-grip]")?.closest("li");
    if (!row || event.button) return;
    event.preventDefault();
    const list = row.parentElement;
    const before = row.nextElementSibling;
    row.classList.add("is-dragged");
    // By the list: a row that is moved would lose it.
    list.setPointerCapture(event.pointerId);
    const watched = ["pointermove", "pointerup", "pointercancel"];
    const follow = ({ type, clientY }) => {
      if (type === "pointermove") {
        this.place(list, row, clientY);
        return;
      }
      for (const one of watched) list.removeEventListener(one, follow);
      row.classList.remove("is-dragged");
      if (type === "pointercancel") list.insertBefore(row, before);
      else if (row.nextElementSibling !== before) this.send(list, row);
    };
    for (const one of watched) list.addEventListener(one, follow);
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
    // It stays until it was sent: where others are on their way, that is later.
    form.addEventListener("htmx:afterRequest", () => place.remove(), { once: true });
  }
}

/** Adds several titles in a row: Enter takes the first that was found, and the field is ready for the next. Pressed
    before what was typed is found, or while the one before is still being added, it waits. */
class AddTitles extends HTMLElement {
  #wantsFirst = false;
  #submitted = null;

  connectedCallback() {
    const part = this.parentElement;
    part.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" || event.target.id !== "q" || !event.target.value.trim()) return;
      event.preventDefault();
      if (event.repeat) return;
      this.#wantsFirst = true;
      this.#submitted = null;
      this.#addFirst();
    });
    part.addEventListener("input", () => {
      this.#wantsFirst = false;
    });
    part.addEventListener("submit", ({ target }) => {
      if (target.matches("#found form")) this.#getReady();
    });
    // On its way: until then it waits for others, and may be gone with what they bring.
    part.addEventListener("htmx:beforeRequest", ({ target }) => {
      if (target === this.#submitted) this.#wantsFirst = false;
    });
    part.parentElement.addEventListener("htmx:afterSettle", ({ detail }) => {
      // What was added brings along what was found then, not what was typed meanwhile.
      if (!this.#isFresh && detail.elt !== document.getElementById("q")) {
        htmx.trigger("#q", "again");
      }
      this.#addFirst();
    });
  }

  /** Whether what was found is what is looked for. */
  get #isFresh() {
    const field = document.getElementById("q");
    return document.getElementById("found").dataset.sought === field.value.trim();
  }

  #addFirst() {
    if (!this.#wantsFirst || !this.#isFresh) return;
    // Only what has the name that was typed: what comes close, people choose themselves.
    const form = document.querySelector("#found li:first-child[data-called] form");
    this.#wantsFirst = Boolean(form);
    if (!form || form === this.#submitted) return;
    this.#submitted = form;
    form.requestSubmit();
  }

  /** With a keyboard at hand: on a phone it would cover what was found. */
  #getReady() {
    if (!matchMedia("(pointer: fine)").matches) return;
    const field = document.getElementById("q");
    field.focus();
    field.select();
  }
}

customElements.define("sortable-list", SortableList);
customElements.define("add-titles", AddTitles);
