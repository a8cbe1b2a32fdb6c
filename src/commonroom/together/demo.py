"""The evening of the demonstration: one plan that all rooms have a part in."""

from __future__ import annotations

from functools import partial

from commonroom.accounts.context import Context
from commonroom.accounts.demo import DemoPeople
from commonroom.hangouts.demo.month import DemoMonth
from commonroom.hangouts.service.attachments import attach
from commonroom.hangouts.service.rsvps import TypedRsvp
from commonroom.hangouts.tables import Hangout, Venue, groups_of_user
from commonroom.joins.attachments import Claim
from commonroom.movienight.tables import Household
from commonroom.shareables.service.gate import find_page
from commonroom.shareables.service.listing import attached_id, pages_of
from commonroom.store import Store, update
from commonroom.watchlists.service.lists import my_lists

FRIDAY = 4
SOFA = Venue(name="Chestnut Road 12", notes="Shoes off, blankets are there.")


async def seed_demo(store: Store, now: float, people: DemoPeople, rooms: list[str]) -> None:
    """Plans a film evening with friends, which carries the vote, a list and a checklist."""
    month = DemoMonth(store, now, people)
    evening = await _plan(month, store, people)
    await month.answer(evening, -2, "Maya", TypedRsvp(status="GOING", companion_ids=month.children))
    await month.answers(evening, -1, {"Jonas": "GOING", "Inès": "GOING", "Tom": "GOING"})
    await month.bring(evening, {"Popcorn": (2, {"Tom": 1}), "Something to drink": (3, {"Inès": 2})})
    await month.talk(evening, -1, [("Inès", "I bring Station Eleven back. I cried. Twice.")])
    ctx = month.ctx("Maya", 0)
    for kind, thing_id in await _things(ctx):
        await attach(ctx, evening.hangout_id, kind, partial(_claim, thing_id))
    for person in (people.maya, people.jonas):
        # They know their way about: home leads them through nothing.
        await store.write(update(person.ref, opened_rooms=rooms))


async def _plan(month: DemoMonth, store: Store, people: DemoPeople) -> Hangout:
    page = await store.page(groups_of_user(user_id=people.jonas.user_id))
    return await month.plan(
        "Maya",
        -3,
        page.items[0],
        "Film evening at ours",
        picture="drinks",
        description="Whoever comes has a say in the film. Lea and Finn, too.",
        time=month.at(month.next(FRIDAY), "18:30", "21:30"),
        place=SOFA,
        is_on=True,
    )


async def _things(ctx: Context) -> list[tuple[str, str]]:
    """The open vote of Maya's household, the first of her public lists, and her checklist."""
    found: list[tuple[str, str]] = []
    maya = await ctx.store.get(ctx.person.ref)
    household_id = None if maya is None else maya.household_id
    group = await ctx.store.get(Household.at(group_id=household_id)) if household_id else None
    if group is not None and group.open_round_id is not None:
        found.append(("round", group.open_round_id))
    lists = [one for one in (await my_lists(ctx)).items if one.is_public]
    found += [("watchlist", one.watchlist_id) for one in lists[:1]]
    for listed in (await pages_of(ctx.store, ctx.now, ctx.person.user_id)).items:
        if listed.kind == "checklist":
            found.append(("shareable", attached_id(await find_page(ctx.store, listed.short_id))))
    return found


async def _claim(thing_id: str) -> Claim:
    """It is Maya's own, and nobody else is at work."""
    return Claim(thing_id, [])
