"""Hangouts: groups, plans, places, and what belongs to a plan."""

from __future__ import annotations

from commonroom.hangouts import tables
from commonroom.hangouts.api import (
    bring_list,
    carpool,
    groups,
    guests,
    hangouts,
    ideas,
    invite_codes,
    offers,
    places,
    polls,
    rsvps,
    series,
    talk,
    tickets,
    time_and_place,
)
from commonroom.hangouts.pages import bring_list as bring_list_pages
from commonroom.hangouts.pages import carpool as carpool_pages
from commonroom.hangouts.pages import groups as group_pages
from commonroom.hangouts.pages import guests as guest_pages
from commonroom.hangouts.pages import hangouts as hangout_pages
from commonroom.hangouts.pages import ideas as idea_pages
from commonroom.hangouts.pages import invite_codes as code_pages
from commonroom.hangouts.pages import offers as offer_pages
from commonroom.hangouts.pages import places as place_pages
from commonroom.hangouts.pages import polls as poll_pages
from commonroom.hangouts.pages import talk as talk_pages
from commonroom.hangouts.pages import tickets as ticket_pages
from commonroom.hangouts.pages.drafts import HangoutForm
from tests.house.fields.surfaces import LeftOut, Travels, named, told_by

NOW = 1_780_000_000.0

TRAVELS = (
    Travels(
        tables.FriendGroup,
        typed={
            "new": named(groups.NewGroup),
            "change": named(groups.GroupChange),
            "form": named(group_pages.GroupEdit, visibility="is_public"),
        },
        shown={"view": told_by(tables.FriendGroup, groups.group_view)},
        left_out=(
            LeftOut("group_id created_at", "typed", "given by the house"),
            LeftOut(
                "created_by updated_at", "typed shown", "roles say who may, and the version when"
            ),
            LeftOut("member_count", "typed", "counted"),
            LeftOut("admin_count place_count idea_count idea_list_count", "typed shown", "counted"),
            LeftOut("invite_codes", "typed shown", "codes have a list of their own"),
            LeftOut("version", "new", "an ETag"),
        ),
    ),
    Travels(
        tables.InviteCode,
        typed={
            "new": named(invite_codes.NewCode),
            "form": named(code_pages.InviteCodeForm),
        },
        shown={"view": told_by(tables.InviteCode, invite_codes.code_view)},
        left_out=(
            LeftOut("code group_id", "typed", "given by the house"),
            LeftOut("expires_at", "form", "the form takes days"),
            LeftOut("created_by created_at used_at", "typed shown", "what limits go by"),
        ),
    ),
    Travels(
        tables.Hangout,
        typed={
            "new": named(hangouts.NewHangout),
            "change": named(hangouts.HangoutChange),
            "form": named(HangoutForm, day="time", place_name="place"),
        },
        shown={
            "view": named(hangouts.WholeHangout, message_count="message_count"),
            "guest_view": named(guests.GuestView),
        },
        left_out=(
            LeftOut("hangout_id created_by created_at", "typed", "given by the house"),
            LeftOut("updated_at changed_by", "typed shown", "what news go by"),
            LeftOut(
                "going_count interested_count not_going_count waiting waiting_count momentum",
                "typed",
                "answers count",
            ),
            LeftOut(
                "going_rsvps other_rsvps audience answered_at held_back_at",
                "typed shown",
                "what momentum goes by",
            ),
            LeftOut("start_timestamp end_timestamp", "typed", "follow from its time"),
            LeftOut(
                "cancelled_at guest_link ticket_link ticket_price",
                "typed",
                "operations of their own",
            ),
            LeftOut("message_count", "typed", "talk counts"),
            LeftOut(
                "guest_count bring_count attachment_count poll_count talked_at",
                "typed shown",
                "what limits and looks go by",
            ),
            LeftOut(
                "offer_ids open_polls decided_poll_id time_poll_id place_poll_id",
                "typed shown",
                "offers and polls are shown themselves",
            ),
            LeftOut("series_id occurrence", "typed", "its series says"),
            LeftOut("series_version", "typed shown", "of use to consumers alone"),
            LeftOut("part", "new change guest_view", "its series says"),
            LeftOut(
                "invited_user_ids", "change form shown", "invitations are operations of their own"
            ),
            LeftOut("version", "new guest_view", "an ETag"),
            LeftOut(
                "hangout_id created_by created_at group_ids series_id occurrence waiting",
                "guest_view",
                "guests see no more than they need",
            ),
            LeftOut(
                "guest_link ticket_link ticket_price message_count not_going_count visibility",
                "guest_view",
                "guests see no more than they need",
            ),
        ),
    ),
    Travels(
        tables.EnteredTime,
        typed={"body": named(time_and_place.TimeGiven)},
        shown={"view": told_by(tables.EnteredTime, time_and_place.time_view)},
    ),
    Travels(
        tables.Venue,
        typed={
            "body": named(time_and_place.PlaceGiven),
            "form": named(
                HangoutForm,
                place_name="name",
                place_address="address",
                place_url="url",
                place_notes="notes",
            ),
        },
        shown={"view": told_by(tables.Venue, time_and_place.place_view)},
    ),
    Travels(
        tables.GroupPlace,
        typed={
            "new": named(places.NewPlace),
            "change": named(places.PlaceChange, is_archived="archived_at"),
            "form": named(place_pages.PlaceForm),
        },
        shown={"view": told_by(tables.GroupPlace, places.group_place_view)},
        left_out=(
            LeftOut(
                "group_id created_by created_at updated_at used_at",
                "typed shown",
                "whose it is, and what limits go by",
            ),
            LeftOut("place_id", "new change", "given by the house"),
            LeftOut("archived_at", "new form", "buttons of their own archive"),
            LeftOut("version", "typed shown", "the last change stands"),
        ),
    ),
    Travels(
        tables.PersonPlace,
        typed={
            "new": named(places.NewOwnPlace),
            "change": named(places.OwnPlaceChange, is_archived="archived_at"),
            "form": named(place_pages.PlaceForm),
        },
        shown={"view": told_by(tables.PersonPlace, lambda one: places.own_place_view(one, ""))},
        left_out=(
            LeftOut(
                "user_id created_by created_at updated_at used_at",
                "typed shown",
                "whose it is, and what limits go by",
            ),
            LeftOut("place_id", "new change", "given by the house"),
            LeftOut("archived_at", "new form", "buttons of their own archive"),
            LeftOut("version", "typed shown", "the last change stands"),
        ),
    ),
    Travels(
        tables.IdeaList,
        typed={
            "new": named(ideas.NewIdeaList),
            "change": named(ideas.IdeaListChange),
            "form": named(idea_pages.IdeaListForm),
        },
        shown={"view": told_by(tables.IdeaList, lambda one: ideas.list_view(one, []))},
        left_out=(
            LeftOut("list_id", "typed", "given by the house"),
            LeftOut(
                "group_id created_by created_at idea_count version",
                "typed shown",
                "whose it is, and what limits go by",
            ),
            LeftOut("note", "form", "a form of two fields: programs may say more"),
        ),
    ),
    Travels(
        tables.Idea,
        typed={
            "new": named(ideas.NewIdea),
            "change": named(ideas.IdeaChange),
            "form": named(idea_pages.IdeaForm),
        },
        shown={"view": told_by(tables.Idea, lambda one: ideas.idea_view(one, ""))},
        left_out=(
            LeftOut("idea_id", "new change", "given by the house"),
            LeftOut("created_at hangout_id", "typed", "what happens to it"),
            LeftOut("interested", "typed", "a button of its own"),
            LeftOut("group_id created_by", "typed shown", "whose it is"),
            LeftOut("list_id", "new change shown", "the list that it is shown in"),
        ),
    ),
    Travels(
        tables.HangoutPoll,
        typed={
            "new": named(polls.NewHangoutPoll),
            "change": named(polls.PollChange),
            "form": named(poll_pages.PollForm, lines="options"),
            "settings": named(poll_pages.SettingsForm),
        },
        shown={"view": told_by(tables.HangoutPoll, lambda one: polls.poll_view(one, NOW))},
        left_out=(
            LeftOut("poll_id created_by created_at", "typed", "given by the house"),
            LeftOut("hangout_id version", "typed shown", "where it is kept"),
            LeftOut("closed_by", "typed shown", "what news go by"),
            LeftOut(
                "ballot_count closed_at outcome overdue_at winner_option_id",
                "typed",
                "votes and the clock decide",
            ),
            LeftOut("tallies", "typed shown", "options say how they stand"),
            LeftOut(
                "options subject",
                "change settings",
                "options come and go one by one; a subject stays",
            ),
            LeftOut("others_add_options", "form", "a setting once it is asked"),
            LeftOut("title", "settings", "what was asked stays; programs may change its words"),
        ),
    ),
    Travels(
        tables.HangoutPollOption,
        typed={
            "body": named(polls.OptionGiven),
            "form": named(poll_pages.OptionForm, days="time", address="place"),
        },
        shown={"view": named(polls.HangoutPollOptionView)},
        left_out=(
            LeftOut("option_id created_by", "typed", "given by the house"),
            LeftOut("start_timestamp end_timestamp", "typed", "follow from its time"),
        ),
    ),
    Travels(
        tables.Ballot,
        typed={
            "body": named(polls.BallotGiven),
            "form": named(poll_pages.PollVoteForm, vote="votes"),
        },
        shown={"view": named(polls.BallotView, name="user_name")},
        left_out=(
            LeftOut("hangout_id poll_id voted_at", "typed shown", "where it is kept"),
            LeftOut("user_id user_name", "typed", "who does it, the caller is"),
        ),
    ),
    Travels(
        tables.BringItem,
        typed={
            "new": named(bring_list.NewBringItem),
            "change": named(bring_list.BringItemChange),
            "form": named(bring_list_pages.BringItemForm, thing="name"),
        },
        shown={"view": told_by(tables.BringItem, bring_list.item_view)},
        left_out=(
            LeftOut("bring_item_id created_by created_at", "typed", "given by the house"),
            LeftOut("claimed", "typed", "counted"),
            LeftOut("hangout_id", "typed shown", "where it is kept"),
        ),
    ),
    Travels(
        tables.BringClaim,
        typed={
            "body": named(bring_list.ClaimGiven),
            "form": named(bring_list_pages.ClaimForm),
        },
        shown={"view": named(bring_list.BringClaimView, name="user_name")},
        left_out=(
            LeftOut("hangout_id bring_item_id", "typed shown", "where it is kept"),
            LeftOut("rsvp_status taken_at claimed_at", "typed shown", "of use to consumers alone"),
            LeftOut("user_id user_name", "typed", "who does it, the caller is"),
        ),
    ),
    Travels(
        tables.Car,
        typed={
            "body": named(carpool.CarGiven),
            "form": named(carpool_pages.CarForm),
        },
        shown={"view": told_by(tables.Car, carpool.car_view)},
        left_out=(
            LeftOut("car_id", "typed", "given by the house"),
            LeftOut("user_id user_name", "typed", "who does it, the caller is"),
            LeftOut("seats_taken", "typed", "counted"),
            LeftOut("hangout_id created_at", "typed shown", "where it is kept"),
            LeftOut("rider_ids", "typed shown", "riders are shown themselves"),
        ),
    ),
    Travels(
        tables.Ride,
        typed={
            "body": named(carpool.RideGiven, plus_guests="people"),
            "form": named(carpool_pages.RideForm),
        },
        shown={"view": told_by(tables.Ride, carpool.ride_view)},
        left_out=(
            LeftOut("user_id user_name", "typed", "who does it, the caller is"),
            LeftOut("car_id", "typed", "a seat is an operation of its own"),
            LeftOut("note", "form", "one button: programs may say more"),
            LeftOut("hangout_id asked_at", "typed shown", "where it is kept"),
            LeftOut(
                "driver_id changed_by rsvp_status seated_at seated_by taken_at",
                "typed shown",
                "of use to consumers alone",
            ),
        ),
    ),
    Travels(
        tables.Ticket,
        typed={
            "body": named(tickets.TicketGiven),
            "form": named(ticket_pages.TicketForm),
        },
        shown={"view": told_by(tables.Ticket, tickets.ticket_view)},
        left_out=(
            LeftOut("user_id user_name", "typed", "who does it, the caller is"),
            LeftOut("hangout_id updated_at", "typed shown", "where it is kept"),
            LeftOut("rsvp_status taken_at", "typed shown", "of use to consumers alone"),
        ),
    ),
    Travels(
        tables.Offer,
        typed={
            "body": named(offers.OfferGiven),
            "form": named(offer_pages.OfferForm),
        },
        shown={"view": told_by(tables.Offer, offers.offer_view)},
        left_out=(
            LeftOut("offer_id", "body", "given by the house"),
            LeftOut("user_id user_name", "typed", "who does it, the caller is"),
            LeftOut("hangout_id created_at", "typed shown", "where it is kept"),
            LeftOut("spots_taken", "typed", "counted"),
            LeftOut("done_at", "typed", "a button of its own"),
        ),
    ),
    Travels(
        tables.Spot,
        typed={
            "body": named(offers.SpotsGiven),
            "form": named(offer_pages.SpotsForm),
        },
        shown={"view": told_by(tables.Spot, offers.spot_view)},
        left_out=(
            LeftOut("user_id user_name", "typed", "who does it, the caller is"),
            LeftOut("hangout_id offer_id claimed_at", "typed shown", "where it is kept"),
            LeftOut("rsvp_status taken_at", "typed shown", "of use to consumers alone"),
        ),
    ),
    Travels(
        tables.Rsvp,
        typed={
            "body": named(rsvps.RsvpBody),
            "form": named(hangout_pages.RsvpForm),
        },
        shown={"view": told_by(tables.Rsvp, lambda one: rsvps.answer(one, ()))},
        left_out=(
            LeftOut("user_id user_name with_user_id", "typed", "who does it, the caller is"),
            LeftOut("updated_at", "typed", "when it is written"),
            LeftOut("hangout_id created_at", "typed shown", "where it is kept"),
        ),
    ),
    Travels(
        tables.GuestRsvp,
        typed={
            "body": named(rsvps.GuestRsvpGiven),
            "form": named(guest_pages.GuestRsvpForm),
        },
        shown={"view": told_by(tables.GuestRsvp, lambda one: rsvps.answer(one, ()))},
        left_out=(
            LeftOut("guest_id", "typed", "given by the house"),
            LeftOut("updated_at", "typed", "when it is written"),
            LeftOut("hangout_id created_at", "typed shown", "where it is kept"),
            LeftOut("entered_by", "typed shown", "who may remove it"),
            LeftOut("change_hash", "typed shown", "opens it"),
        ),
    ),
    Travels(
        tables.TalkMessage,
        typed={
            "body": named(talk.NewMessage),
            "form": named(talk_pages.MessageForm),
        },
        shown={"view": told_by(tables.TalkMessage, talk.message_view)},
        left_out=(
            LeftOut("message_id sent_at", "typed", "given by the house"),
            LeftOut("user_id user_name", "typed", "who does it, the caller is"),
            LeftOut("hangout_id", "typed shown", "where it is kept"),
        ),
    ),
    Travels(
        tables.Repetition,
        typed={
            "body": named(series.RepetitionGiven),
            "form": named(HangoutForm, repeats="frequency", repeats_until="until"),
        },
        shown={"view": told_by(tables.Repetition, series.repetition_view)},
        left_out=(LeftOut("times", "form", "the form takes a last day"),),
    ),
    Travels(
        tables.HangoutTemplate,
        typed={
            "new": named(hangouts.NewHangout),
            "change": named(hangouts.HangoutChange),
            "form": named(HangoutForm, day="time", place_name="place"),
        },
        shown={},
        left_out=(LeftOut("days_later", "typed", "follows from what was moved"),),
    ),
)
