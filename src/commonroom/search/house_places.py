"""Places of the house that belong to no room: settings and administration."""

from __future__ import annotations

from commonroom.http.words import lazy
from commonroom.joins.search_places import SearchPlace

HOUSE_PLACES = (
    SearchPlace(
        lazy("Your profile"),
        "/me",
        lazy("account name picture avatar language time zone settings this browser"),
        "person",
    ),
    SearchPlace(
        lazy("Dark mode"), "/me#theme", lazy("theme light colours appearance night"), "moon"
    ),
    SearchPlace(
        lazy("Notification settings"),
        "/me/notifications",
        lazy("preferences alerts e-mail mute channels what how"),
        "bell",
    ),
    SearchPlace(
        lazy("Quiet hours"),
        "/me/notifications#when",
        lazy("do not disturb silence night sleep notifications when"),
        "moon",
    ),
    SearchPlace(
        lazy("Daily digest"),
        "/me/notifications#when",
        lazy("summary e-mail once a day notifications"),
        "letter",
    ),
    SearchPlace(
        lazy("Push notifications on this device"),
        "/me/notifications#this-device",
        lazy("browser phone turn on alerts"),
        "device",
    ),
    SearchPlace(
        lazy("Webhooks"),
        "/me/webhooks",
        lazy("new webhook programs home assistant url events integrations"),
        "plug",
    ),
    SearchPlace(lazy("Notifications"), "/notifications", lazy("news"), "bell"),
    SearchPlace(
        lazy("People you have blocked"),
        "/me/blocked",
        lazy("block unblock mute ignore harassment spam"),
        "bell",
    ),
    SearchPlace(
        lazy("Add a child"),
        "/me/members",
        lazy("children kids family managed members profile"),
        "family",
    ),
    SearchPlace(
        lazy("Calendar feed"),
        "/me/calendar",
        lazy("ics ical subscribe google outlook phone"),
        "clock",
    ),
    SearchPlace(
        lazy("Password and sign-in"), "/me/security", lazy("change security passkey"), "lock"
    ),
    SearchPlace(
        lazy("Change your e-mail address"), "/me/security", lazy("mail account confirm"), "mail"
    ),
    SearchPlace(
        lazy("Where you are signed in"),
        "/me/security",
        lazy("sessions devices browsers sign out everywhere"),
        "keys",
    ),
    SearchPlace(
        lazy("API tokens"), "/me/tokens", lazy("new programs developer scripts access"), "plug"
    ),
    SearchPlace(lazy("Export my data"), "/me/data", lazy("download copy backup your"), "box"),
    SearchPlace(lazy("Delete your account"), "/me/data", lazy("leave remove close"), "bin"),
    SearchPlace(
        lazy("Switch profile"), "/act-as", lazy("child act as use for somebody else"), "switch"
    ),
    SearchPlace(
        lazy("People on this server"),
        "/admin/people",
        lazy("administration accounts users reset password"),
        "people",
        for_administrators=True,
    ),
    SearchPlace(
        lazy("Invite somebody to this server"),
        "/admin/invitations",
        lazy("administration invitations open invite someone sign up link account person"),
        "mail",
        for_administrators=True,
    ),
    SearchPlace(
        lazy("Films and shows"),
        "/admin/titles",
        lazy("administration titles catalogue correct merge duplicates"),
        "movienight",
        for_administrators=True,
    ),
    SearchPlace(
        lazy("Webhooks of this server"),
        "/admin/webhooks",
        lazy("administration new webhook programs url events"),
        "plug",
        for_administrators=True,
    ),
)
"""What belongs to no room."""
