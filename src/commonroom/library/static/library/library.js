// The library's comforts. Every page does its work without this file.

/** Reads an ISBN with the camera where the browser can: <isbn-scanner for="id of a field">. */
class IsbnScanner extends HTMLElement {
  static #PAUSE_MILLISECONDS = 150;
  #stream = null;

  async connectedCallback() {
    if (!(await this.#able())) return;
    this.hidden = false;
    this.querySelector("[data-scan]").addEventListener("click", () => this.#open());
    this.querySelector("[data-close]").addEventListener("click", () => this.#dialog.close());
    this.#dialog.addEventListener("close", () => this.#stop());
  }

  disconnectedCallback() {
    this.#stop();
  }

  get #dialog() {
    return this.querySelector("dialog");
  }

  get #video() {
    return this.querySelector("video");
  }

  async #able() {
    if (!("BarcodeDetector" in window) || !navigator.mediaDevices?.getUserMedia) return false;
    try {
      return (await BarcodeDetector.getSupportedFormats()).includes("ean_13");
    } catch {
      return false;
    }
  }

  async #open() {
    this.#dialog.showModal();
    try {
      this.#stream = await navigator.mediaDevices.getUserMedia({ video: { facingMode: "environment" } });
      if (!this.#dialog.open) return this.#stop();
      this.#video.srcObject = this.#stream;
      await this.#video.play();
      await this.#look(new BarcodeDetector({ formats: ["ean_13"] }));
    } catch {
      this.#dialog.querySelector("[role=status]").textContent = this.getAttribute("wrong");
    }
  }

  async #look(detector) {
    while (this.#dialog.open && this.#stream !== null) {
      const codes = await detector.detect(this.#video);
      const isbn = codes.map((code) => code.rawValue).find((code) => /^97[89]\d{10}$/.test(code));
      if (isbn) return this.#take(isbn);
      await new Promise((done) => { setTimeout(done, IsbnScanner.#PAUSE_MILLISECONDS); });
    }
  }

  /** Puts the number where it would have been typed, and looks it up. */
  #take(isbn) {
    const field = document.getElementById(this.getAttribute("for"));
    field.value = isbn;
    this.#dialog.close();
    navigator.vibrate?.(60);
    this.closest("look-up").look();
  }

  #stop() {
    for (const track of this.#stream?.getTracks() ?? []) track.stop();
    this.#stream = null;
  }
}

customElements.define("isbn-scanner", IsbnScanner);

/** Looks something up without leaving the page: <look-up renews="id of what changes"> around the field and
    the buttons for it, which belong to a form elsewhere on the page and are sent with it. */
class LookUp extends HTMLElement {
  connectedCallback() {
    this.addEventListener("click", (event) => {
      const button = event.target.closest("button[formaction]");
      if (!button || !window.htmx) return;
      event.preventDefault();
      this.#ask(button);
    });
    this.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" || event.isComposing || event.target.localName !== "input") return;
      event.preventDefault();
      this.look();
    });
  }

  /** What the button beside the field does. */
  look() {
    this.querySelector("button[formaction]").click();
  }

  #ask(button) {
    const part = `#${this.getAttribute("renews")}`;
    const values = Object.fromEntries(new FormData(button.form, button));
    window.htmx.ajax("POST", button.getAttribute("formaction"), { target: part, select: part, swap: "outerHTML", values });
  }
}

customElements.define("look-up", LookUp);
