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
    const field = document.getElementById(this.getAttribute("for"));
    const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
    const known = field && (!field.options || [...field.options].some((option) => option.value === zone));
    if (known && field.value === "") field.value = zone;
  }
}

/** Tells the time zone of this device, on the pages of somebody who has none: <time-zone-note>. */
class TimeZoneNote extends HTMLElement {
  connectedCallback() {
    const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
    if (!zone) return;
    const body = new URLSearchParams({ time_zone: zone });
    // Without an answer, the next page tells it again.
    fetch("/me/time-zone", { method: "POST", body }).catch(() => {});
  }
}

/** Hears a thing's versions as they come. Browsers come back by themselves after a connection broke, but not
    after a refusal: then it tries again ever more rarely, and not at the same moment as everybody else. */
class LiveStream {
  static #FIRST_MILLISECONDS = 30000;
  static #MAX_MILLISECONDS = 600000;
  #source = null;
  #timer = null;
  #pause = LiveStream.#FIRST_MILLISECONDS;

  constructor(address, heard) {
    this.#open(address, heard);
  }

  close() {
    clearTimeout(this.#timer);
    this.#source.close();
  }

  #open(address, heard) {
    this.#source = new EventSource(address);
    this.#source.addEventListener("version", ({ data }) => {
      this.#pause = LiveStream.#FIRST_MILLISECONDS;
      heard(data);
    });
    this.#source.addEventListener("over", () => heard(null)); // it is no longer theirs to hear
    this.#source.addEventListener("error", ({ target }) => {
      if (target.readyState !== EventSource.CLOSED) return;
      this.#timer = setTimeout(() => this.#open(address, heard), this.#pause * (1 + Math.random() / 2));
      this.#pause = Math.min(2 * this.#pause, LiveStream.#MAX_MILLISECONDS);
    });
  }
}

/** How much is unread, as it changes: <notice-bell hidden><span data-number></span> …</notice-bell>.
    With room="…" only what is of that room. What is heard is like "3 hangouts:2 library:1 /hangouts/7": numbers,
    and the pages that something unread is about. What is about the page that somebody looks at is read with that. */
class NoticeBell extends HTMLElement {
  static #bells = new Set();
  static #stream = null;

  connectedCallback() {
    NoticeBell.#bells.add(this);
    NoticeBell.listen();
  }

  disconnectedCallback() {
    NoticeBell.#bells.delete(this);
    NoticeBell.listen();
  }

  /** One connection for all bells, and none while nobody looks: a browser has only a few. */
  static listen() {
    const wanted = NoticeBell.#bells.size > 0 && !document.hidden;
    if (!wanted) {
      NoticeBell.#stream?.close();
      NoticeBell.#stream = null;
    } else if (NoticeBell.#stream === null) {
      NoticeBell.#stream = new LiveStream("/notifications/live", (heard) => {
        const [all, ...parts] = (heard ?? "0").split(" ");
        const pages = parts.filter((one) => one.startsWith("/"));
        const inRoom = new Map(parts.filter((one) => !pages.includes(one)).map((one) => one.split(":")));
        for (const bell of NoticeBell.#bells) {
          bell.#show(bell.hasAttribute("room") ? inRoom.get(bell.getAttribute("room")) ?? "0" : all);
        }
        if (pages.includes(location.pathname)) NoticeBell.#read(location.pathname);
      });
    }
  }

  static #read(page) {
    const body = new URLSearchParams({ page });
    // Without an answer, it stays unread; the list of notifications helps.
    fetch("/notifications/read", { method: "POST", body, redirect: "manual" }).catch(() => {});
  }

  #show(number) {
    this.hidden = number === "0";
    this.querySelector("[data-number]").textContent = number;
  }
}

/** Lets this browser show notifications: of its children, those with `data-when` its state show. */
class PushSwitch extends HTMLElement {
  connectedCallback() {
    const [on, off] = this.querySelectorAll("button");
    on.addEventListener("click", () => this.#do(this.#turnOn));
    off.addEventListener("click", () => this.#do(this.#turnOff));
    this.#do(this.#look);
  }

  async #do(what) {
    try {
      this.#show(await what.call(this));
    } catch {
      this.#show("failed");
    }
  }

  #show(state) {
    for (const part of this.querySelectorAll("[data-when]")) {
      part.hidden = !part.dataset.when.split(" ").includes(state);
    }
  }

  async #look() {
    const able = "serviceWorker" in navigator && "PushManager" in window && "Notification" in window;
    if (!able) return "cannot";
    if (Notification.permission === "denied") return "refused";
    const { items } = await this.#ask("GET", "/api/v1/push-subscriptions?limit=100");
    return (await this.#subscription()) && items.some((one) => one.current) ? "on" : "off";
  }

  async #turnOn() {
    const permission = await Notification.requestPermission();
    if (permission !== "granted") return permission === "denied" ? "refused" : "off";
    const { key } = await this.#ask("GET", "/api/v1/push-key");
    await navigator.serviceWorker.register("/service-worker.js");
    const { pushManager } = await navigator.serviceWorker.ready;
    // Made anew: one that was made for another key could not be used.
    await (await pushManager.getSubscription())?.unsubscribe();
    const plain = atob(key.replaceAll("-", "+").replaceAll("_", "/"));
    const made = await pushManager.subscribe({
      userVisibleOnly: true,
      applicationServerKey: Uint8Array.from(plain, (char) => char.charCodeAt(0)),
    });
    const { endpoint, keys } = made.toJSON();
    await this.#ask("POST", "/api/v1/push-subscriptions", { endpoint, p256dh: keys.p256dh, auth: keys.auth });
    return "on";
  }

  async #turnOff() {
    await this.#ask("DELETE", "/api/v1/push-subscriptions");
    await (await this.#subscription())?.unsubscribe();
    return "off";
  }

  async #subscription() {
    const registration = await navigator.serviceWorker.getRegistration("/");
    return registration?.pushManager.getSubscription();
  }

  async #ask(method, address, body) {
    const sent = body && { body: JSON.stringify(body), headers: { "Content-Type": "application/json" } };
    const answer = await fetch(address, { method, ...sent });
    if (!answer.ok) throw new Error(answer.statusText);
    return answer.status === 204 ? null : answer.json();
  }
}

/** Makes an element like a fresh one and changes only what differs, so that what has the focus, is
    unfolded or half typed stays. Children are known by their id; those without, by their order among
    those of their kind. */
function become(old, fresh) {
  for (const { name } of [...old.attributes]) {
    if (!fresh.hasAttribute(name) && !isTheirs(old, name)) old.removeAttribute(name);
  }
  for (const { name, value } of fresh.attributes) {
    if (old.getAttribute(name) !== value && !isTheirs(old, name)) old.setAttribute(name, value);
  }
  let place = old.firstChild;
  const ids = new Set([...fresh.children].map((child) => child.id));
  for (const node of [...fresh.childNodes]) {
    // What was just done stays where it was done: nothing moves under a finger.
    while (place !== null && stays(place) && !ids.has(place.id)) place = place.nextSibling;
    const same = counterpart(old, place, node);
    if (same === null) {
      old.insertBefore(node, place);
      continue;
    }
    if (same === place) place = place.nextSibling;
    else old.insertBefore(same, place);
    if (same.nodeType !== Node.ELEMENT_NODE) same.data = node.data;
    // What tends itself is left alone.
    else if (!same.localName.includes("-")) become(same, node);
  }
  while (place !== null) {
    const gone = place;
    place = place.nextSibling;
    if (!stays(gone)) gone.remove();
  }
}

/** Whether an element says what the person has just done (data-stays), or holds one that does: that is not
    taken away while they look, though a fresh page no longer has it. */
function stays(node) {
  return node.nodeType === Node.ELEMENT_NODE && (node.matches("[data-stays]") || node.querySelector("[data-stays]") !== null);
}

/** Whether an attribute says what the person did, and not what the server knows. */
function isTheirs(element, name) {
  return name === "open" && element.localName === "details";
}

/** Which child of an element is the one that a fresh child stands for; null where it is new. */
function counterpart(old, place, node) {
  if (node.id) {
    const known = [...old.children].find((child) => child.id === node.id);
    return known?.nodeName === node.nodeName ? known : null;
  }
  let next = place;
  while (next !== null && (next.id || next.nodeName !== node.nodeName)) next = next.nextSibling;
  return next;
}

/** Makes a part of the page like a fresh one; what was moved keeps the focus that it had, and what can be
    pressed no longer leaves it to the next button of its form. Says whether what had the focus is gone. */
function renew(part, fresh) {
  const focused = document.activeElement;
  become(part, fresh);
  const heir = focused.matches(":disabled") ? focused.form?.querySelector("button:enabled") : focused;
  if (heir?.isConnected && document.activeElement !== heir) heir.focus({ preventScroll: true });
  return !focused.isConnected;
}

/** What is on the page already was offered the focus when it came, and asks for it again only where it was refused. */
function keepFocus(fresh) {
  for (const one of fresh.querySelectorAll("[autofocus][id]:not([aria-invalid], [role=alert])")) {
    if (document.getElementById(one.id)) one.removeAttribute("autofocus");
  }
}

/** A part of a page that others can change while it is open:
    <live-part id="…" src="(its versions as they come)" refresh="(a page with it)" version="7">.
    What is said in it politely (role="status") is read aloud when it changes. */
class LivePart extends HTMLElement {
  static #AGAIN_MILLISECONDS = 5000;
  static #parts = new Set();
  #stream = null;
  #heard = null;
  #busy = false;
  #again = null;

  connectedCallback() {
    LivePart.#parts.add(this);
    this.#listen();
  }

  disconnectedCallback() {
    LivePart.#parts.delete(this);
    this.#listen();
  }

  /** Not while nobody looks: a browser has only a few connections. Coming back, it hears what it missed. */
  static listen() {
    for (const part of LivePart.#parts) part.#listen();
  }

  #listen() {
    const wanted = this.isConnected && !document.hidden;
    if (!wanted) {
      this.#stream?.close();
      this.#stream = null;
    } else if (this.#stream === null) {
      this.#stream = new LiveStream(this.getAttribute("src"), (version) => {
        this.#heard = version ?? "over"; // the page itself then says why
        this.#catchUp();
      });
    }
  }

  get #shown() {
    return this.getAttribute("version");
  }

  async #catchUp() {
    if (this.#busy) return;
    this.#busy = true;
    try {
      while (this.#heard !== null && this.#heard !== this.#shown) {
        const [heard, shown] = [this.#heard, this.#shown];
        const fresh = await this.#fetched();
        if (this.#shown !== shown) continue; // a deed of our own came in between, and may be newer
        if (renew(this, fresh)) this.#focusHeading();
        window.htmx?.process(this);
        if (this.#heard === heard) this.#heard = null;
      }
    } catch {
      // Nobody answers, or they are busy: again after a while, each at another moment.
      clearTimeout(this.#again);
      const pause = LivePart.#AGAIN_MILLISECONDS * (1 + Math.random());
      this.#again = setTimeout(() => this.isConnected && this.#catchUp(), pause);
    } finally {
      this.#busy = false;
    }
  }

  /** Where it goes on for whoever uses a keyboard; what they look at stays where it is. */
  #focusHeading() {
    const heading = this.querySelector("h1, h2, h3") ?? this;
    heading.tabIndex = -1;
    heading.focus({ preventScroll: true });
  }

  async #fetched() {
    const answer = await fetch(this.getAttribute("refresh"), { headers: { Accept: "text/html" } });
    if (answer.status === 429 || answer.status >= 500) throw new Error(answer.statusText);
    const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
    const part = answer.ok ? fresh.getElementById(this.id) : null;
    if (part === null) {
      location.reload(); // it is gone, or no longer theirs to see: the page says why
      throw new Error("gone");
    }
    document.title = fresh.title;
    return part;
  }
}

customElements.define("copy-button", CopyButton);
customElements.define("live-part", LivePart);
customElements.define("notice-bell", NoticeBell);
customElements.define("push-switch", PushSwitch);
customElements.define("share-button", ShareButton);
customElements.define("theme-choice", ThemeChoice);
customElements.define("time-zone-guess", TimeZoneGuess);
customElements.define("time-zone-note", TimeZoneNote);

// What a page is opened at is seen although it is folded away: not every browser unfolds it by itself.
function unfoldTarget() {
  const target = document.getElementById(location.hash.slice(1));
  const folds = [];
  for (let fold = target?.closest("details"); fold; fold = fold.parentElement.closest("details")) {
    if (!fold.open) folds.push(fold);
  }
  for (const fold of folds) fold.open = true;
  if (folds.length > 0) target.scrollIntoView();
}
addEventListener("hashchange", unfoldTarget);
document.addEventListener("DOMContentLoaded", unfoldTarget);

// What had the focus may be gone once htmx has exchanged a part of the page. The focus then goes to
// the first of the rows that came, or to the heading of the part.
const left = { focus: null, rows: 0 };
document.addEventListener("htmx:beforeSwap", ({ detail }) => {
  left.focus = document.activeElement;
  left.rows = detail.target.children.length;
});
document.addEventListener("htmx:afterSettle", ({ detail }) => {
  if (left.focus === null || left.focus.isConnected || document.activeElement !== document.body) return;
  left.focus = null;
  const part = document.getElementById(detail.target.id);
  if (!part) return;
  const came = part === detail.target ? part.children[left.rows] : null;
  const place = came ?? part.querySelector("h1, h2, h3") ?? part;
  place.tabIndex = -1;
  place.focus();
});

// What htmx could not do in place: the page as it is now says why.
document.addEventListener("htmx:responseError", () => location.reload());

// A refused form that comes back with what is wrong is shown in place as well.
document.addEventListener("htmx:beforeSwap", ({ detail }) => {
  if (!detail.isError || !detail.serverResponse.includes(`id="${detail.target.id}"`)) return;
  detail.shouldSwap = true;
  detail.isError = false;
});

document.addEventListener("visibilitychange", () => {
  NoticeBell.listen();
  LivePart.listen();
});

// hx-swap="become": htmx changes a part of the page as a live part does.
document.addEventListener("DOMContentLoaded", () => {
  window.htmx?.defineExtension("become", {
    handleSwap(style, target, fragment) {
      if (style !== "become") return false;
      if (fragment.firstElementChild === null) location.reload(); // the answer is another page
      else {
        keepFocus(fragment);
        renew(target, fragment.firstElementChild);
      }
      return [target];
    },
  });
});
