"""Hangouts in the reader's words."""

from __future__ import annotations

from collections.abc import Mapping

from commonroom.hangouts.tables import Category, Frequency, Momentum, Period, RsvpStatus, Vote
from commonroom.web.times import WEEKDAYS
from commonroom.web.words import _, later

FLASH_TEXTS: Mapping[str, str] = {
    "hangout-floated": later("Floated! Everyone in the group can answer now."),
    "hangout-locked-in": later("Locked in. See you there!"),
    "hangout-saved": later("Saved. Everyone sees the changes."),
    "hangout-following-saved": later("Saved. The following ones change in a moment."),
    "hangout-repeats": later("It repeats now. The other dates appear in a moment."),
    "hangout-repeats-no-more": later("It no longer repeats after this one."),
    "hangout-answered": later("Answer saved."),
    "hangout-withdrawn": later("Answer withdrawn."),
    "hangout-cancelled": later("Cancelled. It stays visible, so everyone knows."),
    "hangout-back": later("It is back on the list."),
    "hangout-on": later("It’s on!"),
    "hangout-not-on": later("It is a suggestion again."),
    "hangout-deleted": later("Hangout deleted."),
    "hangout-invited": later("Invited."),
    "hangout-uninvited": later("Invitation taken back."),
    "hangout-guests-open": later("Anyone with the link can answer now."),
    "hangout-guests-closed": later("The guest link no longer works."),
    "hangout-guest-added": later("Answer added."),
    "hangout-guest-removed": later("Answer removed."),
    "hangout-guest-and-link-removed": later(
        "Answer removed, and the guest link is turned off. Make a new one for the others."
    ),
    "poll-made": later("Everyone can vote now."),
    "poll-voted": later("Vote saved."),
    "poll-vote-withdrawn": later("Vote withdrawn."),
    "poll-saved": later("Poll saved."),
    "poll-option-added": later("Option added."),
    "poll-option-removed": later("Option removed."),
    "poll-closed": later("Poll closed."),
    "poll-decided": later("Decided! Everyone sees it."),
    "poll-deleted": later("Poll deleted."),
    "bring-added": later("Added to the list."),
    "bring-saved": later("List saved."),
    "bring-removed": later("Taken off the list."),
    "bring-claimed": later("Great, you bring it!"),
    "bring-unclaimed": later("You don’t bring it any more."),
    "hangout-attached": later("Attached."),
    "hangout-detached": later("Taken off."),
    "hangout-car-offered": later("Your car is on the list."),
    "hangout-car-saved": later("Car saved."),
    "hangout-car-removed": later("Car removed. Its riders are told."),
    "hangout-seat-taken": later("You have a seat."),
    "hangout-rider-taken": later("They ride with you, and are told."),
    "hangout-rider-removed": later("Removed. They are told."),
    "hangout-ride-needed": later("Everyone sees that you need a ride."),
    "hangout-ride-left": later("Done. The seat is free for others."),
    "hangout-tickets-saved": later("Saved."),
    "hangout-ticket-saved": later("Saved. Everyone sees it."),
    "hangout-no-ticket": later("Your entry is removed."),
    "hangout-offer-made": later("Your offer is on the list."),
    "hangout-offer-saved": later("Offer saved."),
    "hangout-offer-gone": later("Offer removed."),
    "hangout-offer-done": later("Well done! It’s on."),
    "hangout-spot-taken": later("You are in."),
    "hangout-spot-left": later("You are out. The spot is free for others."),
    "hangout-unsaid": later("Message deleted."),
    "group-made": later("Your group is ready. Invite your friends!"),
    "group-joined": later("Welcome to the group!"),
    "group-saved": later("Group saved."),
    "group-deleted": later("Group deleted."),
    "group-left": later("You left the group."),
    "group-member-removed": later("Removed from the group."),
    "group-member-and-links-removed": later(
        "Removed from the group. Its invite links are turned off."
    ),
    "group-admin": later("They are an admin now."),
    "group-no-admin": later("They are no longer an admin."),
    "group-code-made": later("Your invite link is ready."),
    "place-added": later("Place added."),
    "place-saved": later("Place saved."),
    "place-removed": later("Place removed."),
    "idea-list-added": later("List added."),
    "idea-list-removed": later("List deleted."),
    "idea-added": later("Idea added."),
    "idea-saved": later("Idea saved."),
    "idea-removed": later("Idea deleted."),
    "group-code-off": later("The invite link no longer works."),
}

ANSWERS: Mapping[RsvpStatus, str] = {
    "GOING": later("Going"),
    "INTERESTED": later("Interested"),
    "NOT_GOING": later("Can’t go"),
}
"""What one answers, and what is said of somebody; translated when it is shown."""

MOMENTUM: Mapping[Momentum, str] = {
    "BUILDING": later("Just an idea"),
    "GAINING": later("Gaining momentum"),
    "CONFIRMED": later("It’s on!"),
}

PERIODS: Mapping[Period, str] = {
    "morning": later("Morning"),
    "afternoon": later("Afternoon"),
    "evening": later("Evening"),
    "night": later("Night"),
    "day": later("All day"),
    "weekend": later("Weekend"),
}

POLL_TITLES: Mapping[str, str] = {
    "TIME": later("When shall we meet?"),
    "PLACE": later("Where shall we go?"),
    "OTHER": later("Poll"),
}
"""What a poll asks that has no words of its own."""

VOTES: Mapping[Vote, str] = {"YES": later("Yes"), "MAYBE": later("Maybe"), "NO": later("No")}

FREQUENCIES: Mapping[Frequency, str] = {
    "DAILY": later("Every day"),
    "WEEKLY": later("Every week"),
    "EVERY_OTHER_WEEK": later("Every other week"),
    "MONTHLY_BY_DAY": later("Every month, same day"),
    "MONTHLY_BY_WEEKDAY": later("Every month, same weekday"),
}

PICTURES: Mapping[str, str] = {
    "cake": later("Cake"),
    "campfire": later("Campfire"),
    "drinks": later("Drinks"),
    "games": later("Games"),
    "hike": later("Hike"),
    "karaoke": later("Microphone"),
    "meal": later("Meal"),
    "music": later("Music"),
    "picnic": later("Picnic"),
    "sports": later("Ball"),
    "swim": later("Waves"),
    "trip": later("Suitcase"),
}

CATEGORIES: Mapping[Category, str] = {
    "food": later("Food"),
    "activity": later("Activities"),
    "trail": later("Trails"),
    "film": later("Films"),
    "show": later("Shows"),
    "book": later("Books"),
    "travel": later("Travel"),
    "bar": later("Bars"),
    "other": later("Other"),
}

COLOURS: Mapping[str, str] = {
    "blue": later("Blue"),
    "green": later("Green"),
    "orange": later("Orange"),
    "pink": later("Pink"),
    "purple": later("Purple"),
    "red": later("Red"),
    "teal": later("Teal"),
    "yellow": later("Yellow"),
}


def weekday(number: int) -> str:
    """A day of the week, Monday being 0."""
    return _(WEEKDAYS[number])


def short_weekday(number: int) -> str:
    """The same above a column of a calendar."""
    return (_("Mon"), _("Tue"), _("Wed"), _("Thu"), _("Fri"), _("Sat"), _("Sun"))[number]
