"""Places of the house that belong to no room: settings and administration."""

from __future__ import annotations

from commonroom.http.words import lazy
from commonroom.joins.search_places import SearchPlace

HOUSE_PLACES = (
    SearchPlace(
        name=lazy("Your profile"),
        address="/me",
        words=lazy("account name picture avatar language time zone settings this browser"),
        icon="person",
    ),
    SearchPlace(
        name=lazy("Dark mode"),
        address="/me#theme",
        words=lazy("theme light colours appearance night"),
        icon="moon",
    ),
    SearchPlace(
        name=lazy("Notification settings"),
        address="/me/notifications",
        words=lazy("preferences alerts e-mail mute channels what how"),
        icon="bell",
    ),
    SearchPlace(
        name=lazy("Quiet hours"),
        address="/me/notifications#when",
        words=lazy("do not disturb silence night sleep notifications when"),
        icon="moon",
    ),
    SearchPlace(
        name=lazy("Daily digest"),
        address="/me/notifications#when",
        words=lazy("summary e-mail once a day notifications"),
        icon="letter",
    ),
    SearchPlace(
        name=lazy("Push notifications on this device"),
        address="/me/notifications#this-device",
        words=lazy("browser phone turn on alerts"),
        icon="device",
    ),
    SearchPlace(
        name=lazy("Webhooks"),
        address="/me/webhooks",
        words=lazy("new webhook programs home assistant url events integrations"),
        icon="plug",
    ),
    SearchPlace(
        name=lazy("Notifications"), address="/notifications", words=lazy("news"), icon="bell"
    ),
    SearchPlace(
        name=lazy("People you have blocked"),
        address="/me/blocked",
        words=lazy("block unblock mute ignore harassment spam"),
        icon="bell",
    ),
    SearchPlace(
        name=lazy("Add a child"),
        address="/me/members",
        words=lazy("children kids family managed members profile"),
        icon="family",
    ),
    SearchPlace(
        name=lazy("Calendar feed"),
        address="/me/calendar",
        words=lazy("ics ical subscribe google outlook phone"),
        icon="clock",
    ),
    SearchPlace(
        name=lazy("Password and sign-in"),
        address="/me/security",
        words=lazy("change security passkey"),
        icon="lock",
    ),
    SearchPlace(
        name=lazy("Change your e-mail address"),
        address="/me/security",
        words=lazy("mail account confirm"),
        icon="mail",
    ),
    SearchPlace(
        name=lazy("Where you are signed in"),
        address="/me/security",
        words=lazy("sessions devices browsers sign out everywhere"),
        icon="keys",
    ),
    SearchPlace(
        name=lazy("API tokens"),
        address="/me/tokens",
        words=lazy("new programs developer scripts access"),
        icon="plug",
    ),
    SearchPlace(
        name=lazy("Export my data"),
        address="/me/data",
        words=lazy("download copy backup your"),
        icon="box",
    ),
    SearchPlace(
        name=lazy("Delete your account"),
        address="/me/data",
        words=lazy("leave remove close"),
        icon="bin",
    ),
    SearchPlace(
        name=lazy("Switch profile"),
        address="/act-as",
        words=lazy("child act as use for somebody else"),
        icon="switch",
    ),
    SearchPlace(
        name=lazy("People on this server"),
        address="/admin/people",
        words=lazy("administration accounts users reset password"),
        icon="people",
        for_administrators=True,
    ),
    SearchPlace(
        name=lazy("Invite somebody to this server"),
        address="/admin/invitations",
        words=lazy("administration invitations open invite someone sign up link account person"),
        icon="mail",
        for_administrators=True,
    ),
    SearchPlace(
        name=lazy("Films and shows"),
        address="/admin/titles",
        words=lazy("administration titles catalogue correct merge duplicates"),
        icon="movienight",
        for_administrators=True,
    ),
    SearchPlace(
        name=lazy("Webhooks of this server"),
        address="/admin/webhooks",
        words=lazy("administration new webhook programs url events"),
        icon="plug",
        for_administrators=True,
    ),
)
"""What belongs to no room."""
