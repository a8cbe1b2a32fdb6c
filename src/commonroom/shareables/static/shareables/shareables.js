// Moments on the clock of whoever reads them. Without this file they stand there on the event's clock.

const spoken = document.documentElement.lang || "en";
const language = spoken === "en" ? "en-GB" : spoken;
const here = Intl.DateTimeFormat().resolvedOptions().timeZone;

/** When something starts on this device's clock, where that is another than the event's:
    <time-here at="2026-05-31T16:00:00Z" zone="Europe/Paris" hidden>That is … where you are.</time-here>. */
class TimeHere extends HTMLElement {
  connectedCallback() {
    const moment = new Date(this.getAttribute("at"));
    const said = (zone) => moment.toLocaleString(language, { timeZone: zone, weekday: "long", hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
    const [there, mine] = [said(this.getAttribute("zone")), said(here)];
    if (there === mine) return;
    this.textContent = this.textContent.replace("…", mine);
    this.hidden = false;
  }
}

/** A moment on this device's clock: <local-moment at="2026-05-31T16:00:00Z">…</local-moment>. */
class LocalMoment extends HTMLElement {
  connectedCallback() {
    const moment = new Date(this.getAttribute("at"));
    this.textContent = moment.toLocaleString(language, { weekday: "long", day: "numeric", month: "long", hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
  }
}

customElements.define("time-here", TimeHere);
customElements.define("local-moment", LocalMoment);
