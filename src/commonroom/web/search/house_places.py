"""Places of the house that belong to no room: settings and administration."""

from __future__ import annotations

from commonroom.web.search.places import SearchPlace
from commonroom.web.words import later

HOUSE_PLACES = (
    SearchPlace(
        name=later("Your profile"),
        address="/me",
        words=later("account name picture avatar language time zone settings this browser"),
        icon="person",
    ),
    SearchPlace(
        name=later("Dark mode"),
        address="/me#theme",
        words=later("theme light colours appearance night"),
        icon="moon",
    ),
    SearchPlace(
        name=later("Notification settings"),
        address="/me/notifications",
        words=later("preferences alerts e-mail mute channels what how"),
        icon="bell",
    ),
    SearchPlace(
        name=later("Quiet hours"),
        address="/me/notifications#when",
        words=later("do not disturb silence night sleep notifications when"),
        icon="moon",
    ),
    SearchPlace(
        name=later("Daily digest"),
        address="/me/notifications#when",
        words=later("summary e-mail once a day notifications"),
        icon="letter",
    ),
    SearchPlace(
        name=later("Push notifications on this device"),
        address="/me/notifications#this-device",
        words=later("browser phone turn on alerts"),
        icon="device",
    ),
    SearchPlace(
        name=later("Webhooks"),
        address="/me/webhooks",
        words=later("new webhook programs home assistant url events integrations"),
        icon="plug",
    ),
    SearchPlace(
        name=later("Notifications"), address="/notifications", words=later("news"), icon="bell"
    ),
    SearchPlace(
        name=later("People you have blocked"),
        address="/me/blocked",
        words=later("block unblock mute ignore harassment spam"),
        icon="bell",
    ),
    SearchPlace(
        name=later("Add a child"),
        address="/me/members",
        words=later("children kids family managed members profile"),
        icon="family",
    ),
    SearchPlace(
        name=later("Calendar feed"),
        address="/me/calendar",
        words=later("ics ical subscribe google outlook phone"),
        icon="clock",
    ),
    SearchPlace(
        name=later("Password and sign-in"),
        address="/me/security",
        words=later("change security passkey"),
        icon="lock",
    ),
    SearchPlace(
        name=later("Change your e-mail address"),
        address="/me/security",
        words=later("mail account confirm"),
        icon="mail",
    ),
    SearchPlace(
        name=later("Where you are signed in"),
        address="/me/security",
        words=later("sessions devices browsers sign out everywhere"),
        icon="keys",
    ),
    SearchPlace(
        name=later("API tokens"),
        address="/me/tokens",
        words=later("new programs developer scripts access"),
        icon="plug",
    ),
    SearchPlace(
        name=later("Export my data"),
        address="/me/data",
        words=later("download copy backup your"),
        icon="box",
    ),
    SearchPlace(
        name=later("Delete your account"),
        address="/me/data",
        words=later("leave remove close"),
        icon="bin",
    ),
    SearchPlace(
        name=later("Switch profile"),
        address="/act-as",
        words=later("child act as use for somebody else"),
        icon="switch",
    ),
    SearchPlace(
        name=later("People on this server"),
        address="/admin/people",
        words=later("administration accounts users reset password"),
        icon="people",
        for_administrators=True,
    ),
    SearchPlace(
        name=later("Invite somebody to this server"),
        address="/admin/invitations",
        words=later("administration invitations open invite someone sign up link account person"),
        icon="mail",
        for_administrators=True,
    ),
    SearchPlace(
        name=later("Films and shows"),
        address="/admin/titles",
        words=later("administration titles catalogue correct merge duplicates"),
        icon="movienight",
        for_administrators=True,
    ),
    SearchPlace(
        name=later("Webhooks of this server"),
        address="/admin/webhooks",
        words=later("administration new webhook programs url events"),
        icon="plug",
        for_administrators=True,
    ),
)
"""What belongs to no room."""
