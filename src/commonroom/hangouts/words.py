"""Hangouts in the reader's words."""

from __future__ import annotations

from collections.abc import Mapping

from commonroom.hangouts.tables import Category, Frequency, Momentum, Period, RsvpStatus, Vote
from commonroom.http.times import WEEKDAYS
from commonroom.http.words import _, lazy

FLASH_TEXTS: Mapping[str, str] = {
    "hangout-floated": lazy("Floated! Everyone in the group can answer now."),
    "hangout-locked-in": lazy("Locked in. See you there!"),
    "hangout-saved": lazy("Saved. Everyone sees the changes."),
    "hangout-following-saved": lazy("Saved. The following ones change in a moment."),
    "hangout-repeats": lazy("It repeats now. The other dates appear in a moment."),
    "hangout-repeats-no-more": lazy("It no longer repeats after this one."),
    "hangout-answered": lazy("Answer saved."),
    "hangout-withdrawn": lazy("Answer withdrawn."),
    "hangout-cancelled": lazy("Cancelled. It stays visible, so everyone knows."),
    "hangout-back": lazy("It is back on the list."),
    "hangout-on": lazy("It’s on!"),
    "hangout-not-on": lazy("It is a suggestion again."),
    "hangout-deleted": lazy("Hangout deleted."),
    "hangout-invited": lazy("Invited."),
    "hangout-uninvited": lazy("Invitation taken back."),
    "hangout-guests-open": lazy("Anyone with the link can answer now."),
    "hangout-guests-closed": lazy("The guest link no longer works."),
    "hangout-guest-added": lazy("Answer added."),
    "hangout-guest-removed": lazy("Answer removed."),
    "hangout-guest-and-link-removed": lazy(
        "Answer removed, and the guest link is turned off. Make a new one for the others."
    ),
    "poll-made": lazy("Everyone can vote now."),
    "poll-voted": lazy("Vote saved."),
    "poll-vote-withdrawn": lazy("Vote withdrawn."),
    "poll-saved": lazy("Poll saved."),
    "poll-option-added": lazy("Option added."),
    "poll-option-removed": lazy("Option removed."),
    "poll-closed": lazy("Poll closed."),
    "poll-decided": lazy("Decided! Everyone sees it."),
    "poll-deleted": lazy("Poll deleted."),
    "bring-added": lazy("Added to the list."),
    "bring-saved": lazy("List saved."),
    "bring-removed": lazy("Taken off the list."),
    "bring-claimed": lazy("Great, you bring it!"),
    "bring-unclaimed": lazy("You don’t bring it any more."),
    "hangout-attached": lazy("Attached."),
    "hangout-detached": lazy("Taken off."),
    "hangout-car-offered": lazy("Your car is on the list."),
    "hangout-car-saved": lazy("Car saved."),
    "hangout-car-removed": lazy("Car removed. Its riders are told."),
    "hangout-seat-taken": lazy("You have a seat."),
    "hangout-rider-taken": lazy("They ride with you, and are told."),
    "hangout-rider-removed": lazy("Removed. They are told."),
    "hangout-ride-needed": lazy("Everyone sees that you need a ride."),
    "hangout-ride-left": lazy("Done. The seat is free for others."),
    "hangout-tickets-saved": lazy("Saved."),
    "hangout-ticket-saved": lazy("Saved. Everyone sees it."),
    "hangout-no-ticket": lazy("Your entry is removed."),
    "hangout-offer-made": lazy("Your offer is on the list."),
    "hangout-offer-saved": lazy("Offer saved."),
    "hangout-offer-gone": lazy("Offer removed."),
    "hangout-offer-done": lazy("Well done! It’s on."),
    "hangout-spot-taken": lazy("You are in."),
    "hangout-spot-left": lazy("You are out. The spot is free for others."),
    "hangout-unsaid": lazy("Message deleted."),
    "group-made": lazy("Your group is ready. Invite your friends!"),
    "group-joined": lazy("Welcome to the group!"),
    "group-saved": lazy("Group saved."),
    "group-deleted": lazy("Group deleted."),
    "group-left": lazy("You left the group."),
    "group-member-removed": lazy("Removed from the group."),
    "group-member-and-links-removed": lazy(
        "Removed from the group. Its invite links are turned off."
    ),
    "group-admin": lazy("They are an admin now."),
    "group-no-admin": lazy("They are no longer an admin."),
    "group-code-made": lazy("Your invite link is ready."),
    "place-added": lazy("Place added."),
    "place-saved": lazy("Place saved."),
    "place-removed": lazy("Place removed."),
    "idea-list-added": lazy("List added."),
    "idea-list-removed": lazy("List deleted."),
    "idea-added": lazy("Idea added."),
    "idea-saved": lazy("Idea saved."),
    "idea-removed": lazy("Idea deleted."),
    "group-code-off": lazy("The invite link no longer works."),
}

ANSWERS: Mapping[RsvpStatus, str] = {
    "GOING": lazy("Going"),
    "INTERESTED": lazy("Interested"),
    "NOT_GOING": lazy("Can’t go"),
}
"""What one answers, and what is said of a person; translated when it is shown."""

MOMENTUM: Mapping[Momentum, str] = {
    "BUILDING": lazy("Just an idea"),
    "GAINING": lazy("Gaining momentum"),
    "CONFIRMED": lazy("It’s on!"),
}

PERIODS: Mapping[Period, str] = {
    "morning": lazy("Morning"),
    "afternoon": lazy("Afternoon"),
    "evening": lazy("Evening"),
    "night": lazy("Night"),
    "day": lazy("All day"),
    "weekend": lazy("Weekend"),
}

POLL_TITLES: Mapping[str, str] = {
    "TIME": lazy("When shall we meet?"),
    "PLACE": lazy("Where shall we go?"),
    "OTHER": lazy("Poll"),
}
"""What a poll asks that has no words of its own."""

VOTES: Mapping[Vote, str] = {"YES": lazy("Yes"), "MAYBE": lazy("Maybe"), "NO": lazy("No")}

FREQUENCIES: Mapping[Frequency, str] = {
    "DAILY": lazy("Every day"),
    "WEEKLY": lazy("Every week"),
    "EVERY_OTHER_WEEK": lazy("Every other week"),
    "MONTHLY_BY_DAY": lazy("Every month, same day"),
    "MONTHLY_BY_WEEKDAY": lazy("Every month, same weekday"),
}

PICTURES: Mapping[str, str] = {
    "cake": lazy("Cake"),
    "campfire": lazy("Campfire"),
    "drinks": lazy("Drinks"),
    "games": lazy("Games"),
    "hike": lazy("Hike"),
    "karaoke": lazy("Microphone"),
    "meal": lazy("Meal"),
    "music": lazy("Music"),
    "picnic": lazy("Picnic"),
    "sports": lazy("Ball"),
    "swim": lazy("Waves"),
    "trip": lazy("Suitcase"),
}

CATEGORIES: Mapping[Category, str] = {
    "food": lazy("Food"),
    "activity": lazy("Activities"),
    "trail": lazy("Trails"),
    "film": lazy("Films"),
    "show": lazy("Shows"),
    "book": lazy("Books"),
    "travel": lazy("Travel"),
    "bar": lazy("Bars"),
    "other": lazy("Other"),
}

COLOURS: Mapping[str, str] = {
    "blue": lazy("Blue"),
    "green": lazy("Green"),
    "orange": lazy("Orange"),
    "pink": lazy("Pink"),
    "purple": lazy("Purple"),
    "red": lazy("Red"),
    "teal": lazy("Teal"),
    "yellow": lazy("Yellow"),
}


def weekday(number: int) -> str:
    """Returns a day of the week, Monday being 0."""
    return _(WEEKDAYS[number])


def short_weekday(number: int) -> str:
    """Returns the short weekday above a column of a calendar."""
    return (_("Mon"), _("Tue"), _("Wed"), _("Thu"), _("Fri"), _("Sat"), _("Sun"))[number]
