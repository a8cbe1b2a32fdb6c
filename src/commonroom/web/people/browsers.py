"""Browsers in words: what a session list shows instead of a user agent."""

from __future__ import annotations

from commonroom.web.words import _

# The more particular first: most browsers also claim to be another.
BROWSERS = {
    "Edg/": "Edge",
    "EdgA/": "Edge",
    "OPR/": "Opera",
    "SamsungBrowser/": "Samsung Internet",
    "Vivaldi/": "Vivaldi",
    "FxiOS/": "Firefox",
    "Firefox/": "Firefox",
    "CriOS/": "Chrome",
    "Chromium/": "Chromium",
    "Chrome/": "Chrome",
    "Safari/": "Safari",
}
MACHINES = {
    "iPhone": "iPhone",
    "iPad": "iPad",
    "Android": "Android",
    "CrOS": "ChromeOS",
    "Windows": "Windows",
    "Macintosh": "Mac",
    "Linux": "Linux",
}
HANDHELD = ("iPhone", "iPad", "Android")


def in_words(agent: str) -> str:
    """Such as “Firefox on Windows”."""
    browser = _first(agent, BROWSERS)
    machine = _first(agent, MACHINES)
    if browser and machine:
        return _("%(browser)s on %(machine)s") % {"browser": browser, "machine": machine}
    return browser or machine or _("Unknown browser")


def is_handheld(agent: str) -> bool:
    """Whether it looks like a phone or tablet."""
    return any(sign in agent for sign in HANDHELD)


def _first(agent: str, signs: dict[str, str]) -> str | None:
    return next((name for sign, name in signs.items() if sign in agent), None)
