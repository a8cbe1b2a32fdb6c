// Rows of a form that grow as one types, and are moved about in place. Without this file the same
// buttons send the form, and the server does it.

/** <row-list most="200" grows moved="Place {place} of {all}"><ol>…</ol><template>…</template>…</row-list> */
class RowList extends HTMLElement {
  #list;
  #held = null;

  connectedCallback() {
    this.#list = this.querySelector(":scope > ol");
    if (this.#list === null || this.#list.dataset.tended) return;
    this.#list.dataset.tended = "true"; // a copy of a row is connected more than once
    this.addEventListener("click", (event) => this.#pressed(event));
    this.addEventListener("input", (event) => this.#typed(event));
    this.addEventListener("keydown", (event) => this.#keyed(event));
    this.addEventListener("paste", (event) => this.#pasted(event));
    this.addEventListener("pointerdown", (event) => this.#hold(event));
    this.addEventListener("pointermove", (event) => this.#drag(event));
    for (const end of ["pointerup", "pointercancel"]) this.addEventListener(end, () => this.#drop());
    for (const row of this.#rows) this.#showGrip(row);
  }

  get #rows() {
    return [...this.#list.children];
  }

  get #grows() {
    return this.hasAttribute("grows");
  }

  /** The row of this list that something is in; null where it is in a list within. */
  #rowOf(element) {
    return element.closest("row-list") === this ? element.closest("li") : null;
  }

  #showGrip(row) {
    row.querySelector(":scope > .grip").hidden = false;
  }

  #field(row) {
    return row.querySelector("input:not([type=hidden])");
  }

  #pressed(event) {
    const button = event.target.closest("button[name]");
    if (!button || button.closest("row-list") !== this || button.type !== "submit") return;
    event.preventDefault();
    const row = button.closest("li");
    if (button.value === "more") this.#add()?.focus();
    else if (button.value === "remove") this.#remove(row);
    else if (this.#move(row, button.value)) button.focus();
  }

  /** A fresh row below the others; gives where to type. */
  #add(below = null) {
    if (this.#rows.length >= Number(this.getAttribute("most"))) return null;
    const row = this.querySelector(":scope > template").content.cloneNode(true).firstElementChild;
    this.#list.insertBefore(row, below?.nextElementSibling ?? null);
    this.#showGrip(row);
    return this.#field(row);
  }

  #remove(row) {
    const next = row.nextElementSibling ?? row.previousElementSibling;
    row.remove();
    (next ? this.#field(next) : this.#add())?.focus();
    this.#leaveRoom();
  }

  #move(row, way) {
    const other = way === "up" ? row.previousElementSibling : row.nextElementSibling;
    if (other === null) return false;
    if (way === "up") other.before(row);
    else other.after(row);
    this.#say(row);
    return true;
  }

  #say(row) {
    const words = this.getAttribute("moved").replace("{place}", this.#rows.indexOf(row) + 1);
    this.querySelector(":scope > [role=status]").textContent = words.replace("{all}", this.#rows.length);
  }

  #typed(event) {
    if (this.#grows && this.#rowOf(event.target)) this.#leaveRoom();
  }

  /** There is always an empty row to go on in. */
  #leaveRoom() {
    const last = this.#list.lastElementChild;
    if (this.#grows && last && this.#field(last).value.trim()) this.#add();
  }

  #keyed(event) {
    const row = this.#rowOf(event.target);
    if (!row || event.isComposing) return;
    const way = { ArrowUp: "up", ArrowDown: "down" }[event.key];
    const onGrip = event.target.matches(".grip");
    if (way && (onGrip || event.altKey)) {
      event.preventDefault();
      if (this.#move(row, way)) event.target.focus();
    } else if (event.target === this.#field(row)) {
      if (event.key === "Enter") this.#enter(event, row);
      else if (event.key === "Backspace" && this.#grows) this.#erase(event, row);
    }
  }

  /** On to the next row, or from a question to its options; the form is not sent by it. */
  #enter(event, row) {
    event.preventDefault();
    const within = row.querySelector("row-list li");
    const next = within ?? row.nextElementSibling;
    (next ? this.#field(next) : this.#add())?.focus();
  }

  /** A row that is empty and erased once more is gone, unless it is the last. */
  #erase(event, row) {
    const before = row.previousElementSibling;
    if (event.target.value || before === null) return;
    event.preventDefault();
    row.remove();
    this.#field(before).focus();
    this.#leaveRoom();
  }

  /** Several lines become several rows. */
  #pasted(event) {
    const row = this.#grows ? this.#rowOf(event.target) : null;
    const lines = event.clipboardData.getData("text").split(/\r?\n/).map((line) => line.trim()).filter(Boolean);
    if (!row || event.target !== this.#field(row) || lines.length < 2) return;
    event.preventDefault();
    event.target.setRangeText(lines[0], event.target.selectionStart, event.target.selectionEnd, "end");
    let last = row;
    for (const line of lines.slice(1)) {
      const field = this.#add(last);
      if (field === null) break;
      field.value = line;
      last = field.closest("li");
    }
    this.#field(last).focus();
    this.#leaveRoom();
  }

  #hold(event) {
    const grip = event.target.closest(".grip");
    if (!grip || event.button !== 0 || grip.closest("row-list") !== this) return;
    this.#held = grip.closest("li");
    this.#held.classList.add("held");
    grip.setPointerCapture(event.pointerId);
  }

  #drag(event) {
    const held = this.#held;
    if (held === null) return;
    const [before, after] = [held.previousElementSibling, held.nextElementSibling];
    const middle = (row) => row.getBoundingClientRect().top + row.getBoundingClientRect().height / 2;
    if (before && event.clientY < middle(before)) before.before(held);
    else if (after && event.clientY > middle(after)) after.after(held);
    const edge = 80;
    if (event.clientY < edge) scrollBy(0, -12);
    else if (event.clientY > innerHeight - edge) scrollBy(0, 12);
  }

  #drop() {
    if (this.#held === null) return;
    this.#held.classList.remove("held");
    this.#say(this.#held);
    this.#held = null;
  }
}

/** Times that the server could only give in UTC, as this device's clock shows them:
    <times-here zone="id of the choice" times="ids of the fields">. */
class TimesHere extends HTMLElement {
  connectedCallback() {
    const choice = document.getElementById(this.getAttribute("zone"));
    const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
    const known = choice && [...choice.options].some((option) => option.value === zone);
    if (!known || choice.value !== "UTC") return;
    choice.value = zone;
    for (const id of this.getAttribute("times").split(" ")) {
      const field = document.getElementById(id);
      if (field?.value) field.value = this.#here(new Date(`${field.value}Z`));
    }
  }

  #here(moment) {
    const two = (number) => String(number).padStart(2, "0");
    const day = [String(moment.getFullYear()).padStart(4, "0"), two(moment.getMonth() + 1), two(moment.getDate())];
    return `${day.join("-")}T${two(moment.getHours())}:${two(moment.getMinutes())}`;
  }
}

customElements.define("row-list", RowList);
customElements.define("times-here", TimesHere);

// What a fold says about itself is no longer so once something in it was changed.
document.addEventListener("change", ({ target }) => {
  target.closest(".fold")?.querySelector(".fold-more")?.remove();
});
