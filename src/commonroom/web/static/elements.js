// Small comforts. Every page does its work without this file.

/** A button that copies what stands in a field: <copy-button for="id" done="Copied">. */
class CopyButton extends HTMLElement {
  connectedCallback() {
    const button = this.querySelector("button");
    const field = document.getElementById(this.getAttribute("for"));
    if (!button || !field) return;
    this.hidden = false;
    const words = button.querySelector("[data-words]");
    const before = words.textContent;
    button.addEventListener("click", async () => {
      field.select();
      try {
        await navigator.clipboard.writeText(field.value);
      } catch {
        // No clipboard where the connection is not secure: it is selected, the keyboard can copy it.
        if (!document.execCommand("copy")) return;
      }
      words.textContent = this.getAttribute("done");
      setTimeout(() => { words.textContent = before; }, 2500);
    });
  }
}

/** A button that opens the phone's own share sheet: <share-button address="…" name="…">. */
class ShareButton extends HTMLElement {
  connectedCallback() {
    if (!navigator.share) return;
    this.hidden = false;
    this.querySelector("button")?.addEventListener("click", () => {
      const shared = { title: this.getAttribute("name"), url: this.getAttribute("address") };
      navigator.share(shared).catch(() => {});
    });
  }
}

/** Light or dark at once, instead of loading the page anew; the form inside does the same. */
class ThemeChoice extends HTMLElement {
  connectedCallback() {
    const form = this.querySelector("form");
    form?.addEventListener("submit", async (event) => {
      event.preventDefault();
      const theme = event.submitter.value;
      if (theme === "auto") delete document.documentElement.dataset.theme;
      else document.documentElement.dataset.theme = theme;
      for (const button of form.querySelectorAll("button")) {
        button.setAttribute("aria-pressed", String(button === event.submitter));
      }
      await fetch(form.action, {
        method: "POST",
        body: new URLSearchParams(new FormData(form, event.submitter)),
        redirect: "manual",
      });
    });
  }
}

/** Offers the time zone of this device where none is chosen: <time-zone-guess for="id">. */
class TimeZoneGuess extends HTMLElement {
  connectedCallback() {
    const select = document.getElementById(this.getAttribute("for"));
    const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
    const known = select && [...select.options].some((option) => option.value === zone);
    if (known && select.value === "") select.value = zone;
  }
}

customElements.define("copy-button", CopyButton);
customElements.define("share-button", ShareButton);
customElements.define("theme-choice", ThemeChoice);
customElements.define("time-zone-guess", TimeZoneGuess);

// The menu at the bottom closes when somebody touches elsewhere, or presses Escape.
const menus = () => document.querySelectorAll("details[data-menu][open]");
document.addEventListener("click", (event) => {
  for (const menu of menus()) if (!menu.contains(event.target)) menu.open = false;
});
document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape") return;
  for (const menu of menus()) {
    menu.open = false;
    menu.querySelector("summary").focus();
  }
});

// What htmx could not do in place: the page as it is now says why.
document.addEventListener("htmx:responseError", () => location.reload());
