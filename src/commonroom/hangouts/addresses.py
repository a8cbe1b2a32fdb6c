"""The room's addresses in one place."""

from __future__ import annotations

from urllib.parse import quote, urlencode

ROOM = "/hangouts"
NEW = f"{ROOM}/new"
PAST = f"{ROOM}/past"
MONTH = f"{ROOM}/month"
GROUPS = "/groups"
NEW_GROUP = f"{GROUPS}/new"
OWN_PLACES = f"{ROOM}/places"

CALENDAR_FILE = "/calendar.ics"
"""Below a hangout, or its guest link."""

# Patterns of handlers.
HANGOUT = f"{ROOM}/{{hangout_id:str}}"
GROUP = f"{GROUPS}/{{group_id:str}}"
MEMBERS = f"{GROUP}/members"
INVITE = f"{GROUP}/invite"
PLACES = f"{GROUP}/places"
IDEAS = f"{GROUP}/ideas"
JOIN = "/g/{code:str}"
GUEST = "/h/{token:str}"


def hangout(hangout_id: str) -> str:
    """Returns a hangout's page; what is done with it lies below: /answer, /edit, /cancel, …"""
    return f"{ROOM}/{quote(hangout_id, safe='')}"


def group(group_id: str) -> str:
    """Returns a group's feed; beside it lie /members, /invite, /edit, …"""
    return f"{GROUPS}/{quote(group_id, safe='')}"


def new_hangout(group_id: str = "", title: str = "") -> str:
    """Returns where a hangout is made, for a group and with words that were typed elsewhere."""
    given = {name: text for name, text in (("group", group_id), ("title", title)) if text}
    return f"{NEW}?{urlencode(given)}" if given else NEW


def plan_idea(group_id: str, list_id: str, idea_id: str) -> str:
    """Returns where a hangout is made of an idea."""
    return f"{NEW}?{urlencode({'group': group_id, 'ideas': list_id, 'idea': idea_id})}"


def month(name: str, group_id: str = "") -> str:
    """Returns a month, of one group or of all."""
    base = f"{group(group_id)}/month" if group_id else MONTH
    return f"{base}?{urlencode({'month': name})}"


def join(code: str) -> str:
    """Returns the page of an invite code."""
    return f"/g/{quote(code, safe='')}"


def guest(token: str) -> str:
    """Returns the page of a guest link."""
    return f"/h/{quote(token, safe='')}"


def guest_answer(token: str, change_code: str) -> str:
    """Returns a guest's own private link."""
    return f"{guest(token)}/{quote(change_code, safe='')}"
