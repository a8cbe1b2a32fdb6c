"""Movie night: households, what members like, wishes, rounds and their films."""

from __future__ import annotations

from commonroom.movienight import tables
from commonroom.movienight.api import films, households, invites, members, preferences, rounds
from commonroom.movienight.api import round_views as views
from commonroom.movienight.api.wishes import WishView
from commonroom.movienight.pages import attendance, round_actions
from commonroom.movienight.pages import households as household_pages
from commonroom.movienight.pages.preferences import PreferencesForm
from commonroom.movienight.request import FoundFilmForm
from commonroom.titles.genres import GENRES
from tests.house.fields.surfaces import LeftOut, Travels, named

IDS = "where it is"
SELF = "who does it, the caller is"
WHEN = "when it is written"
FILM = "the film's, from its source"

TRAVELS = (
    Travels(
        tables.Household,
        typed={
            "new": named(households.NewHousehold),
            "change": named(households.HouseholdChange),
            "form": named(household_pages.HouseholdForm),
        },
        shown={"view": named(households.HouseholdView)},
        left_out=(
            LeftOut("group_id created_by created_at updated_at", "typed", "given by the house"),
            LeftOut("member_count wish_count", "typed", "counted"),
            LeftOut("member_ids", "typed shown", "members have a list of their own"),
            LeftOut("open_round_id", "typed", "rounds begin and end"),
            LeftOut("votes_are_open", "new", "a setting once it is there"),
            LeftOut("version", "typed shown", "an ETag"),
        ),
    ),
    Travels(
        tables.HouseholdMembership,
        typed={},
        shown={"view": named(members.HouseholdMember)},
        left_out=(LeftOut("group_id", "view", IDS),),
    ),
    Travels(
        tables.Preferences,
        typed={
            "body": named(preferences.PreferencesSet),
            "form": named(
                PreferencesForm,
                ceiling="max_content_rating",
                **{f"genre_{genre}": "genre_likes genre_dislikes" for genre in GENRES},
            ),
        },
        shown={"view": named(preferences.MemberPreferences)},
        left_out=(
            LeftOut("group_id", "typed shown", IDS),
            LeftOut("user_id", "typed", SELF),
            LeftOut("updated_at", "typed", WHEN),
        ),
    ),
    Travels(
        tables.Invite,
        typed={},
        shown={"view": named(invites.InviteView)},
        left_out=(
            LeftOut("group_id", "view", IDS),
            LeftOut("invite_token", "view", "shown once, to the person who made it"),
            LeftOut("ttl", "view", "`expires_at` says"),
        ),
    ),
    Travels(
        tables.Wish,
        typed={"form": named(FoundFilmForm)},
        shown={"view": named(WishView)},
        left_out=(
            LeftOut("group_id", "typed shown", IDS),
            LeftOut("year genres poster_path content_rating", "typed", FILM),
            LeftOut("added_by", "typed", SELF),
            LeftOut("added_at", "typed", WHEN),
        ),
    ),
    Travels(
        tables.WatchedFilm,
        typed={},
        shown={"view": named(films.PastFilmView), "story": named(films.Watched)},
        left_out=(
            LeftOut("group_id", "shown", IDS),
            LeftOut("tmdb_movie_id title poster_path year", "story", FILM),
            LeftOut("genres", "shown", FILM),
            LeftOut("marked_at", "shown", "when it was watched is shown"),
            LeftOut("attendees", "shown", "its round says"),
            LeftOut("wish earlier", "shown", "what undoing puts back"),
        ),
    ),
    Travels(
        tables.Round,
        typed={
            "new": named(rounds.NewRound),
            "form": named(attendance.NewRoundForm),
        },
        shown={"view": named(views.RoundDetailView), "past": named(views.PastRoundView)},
        left_out=(
            LeftOut("round_id group_id started_by status", "typed", "given by the house"),
            LeftOut("group_id", "past", IDS),
            LeftOut("created_at voting_started_at selected_at watched_at rated_at", "typed", WHEN),
            LeftOut(
                "voting_started_at selected_at watched_at rated_at", "past", "its pick says when"
            ),
            LeftOut("relaxed_constraints votes_are_open", "typed past", "follow from its start"),
            LeftOut("watched_by abandoned_by", "typed past", "what happened to it"),
            LeftOut("updated_at moved_by voted_by", "typed shown", "what news go by"),
            LeftOut("shown run_offs", "typed shown", "of use to the next shortlist alone"),
            LeftOut("films_from", "shown", "each film says why it is there"),
            LeftOut("pick_id proposals rated", "typed shown", "shown themselves"),
            LeftOut("films", "typed past", "shown themselves"),
            LeftOut("plan_id plan_day", "typed shown", "its plan leads to it"),
            LeftOut("version", "typed past", "an ETag"),
        ),
    ),
    Travels(
        tables.Suggestion,
        typed={"form": named(FoundFilmForm)},
        shown={"view": named(views.RoundFilm)},
        left_out=(
            LeftOut("round_id", "typed shown", IDS),
            LeftOut("position reasons proposed_by from_wish_list", "typed", "how it came here"),
            LeftOut(
                "year genres poster_path content_rating vote_average runtime overview",
                "typed",
                FILM,
            ),
            LeftOut("popularity", "typed shown", "what order goes by"),
        ),
    ),
    Travels(
        tables.Vote,
        typed={
            "body": named(rounds.VoteCast),
            "form": named(round_actions.FilmVoteForm),
        },
        shown={},
        left_out=(
            LeftOut("round_id", "typed", IDS),
            LeftOut("tmdb_movie_id", "body", IDS),
            LeftOut("member_id", "typed", SELF),
            LeftOut("voted_at", "typed", WHEN),
        ),
    ),
    Travels(
        tables.Pick,
        typed={"form": named(round_actions.PickForm)},
        shown={"view": named(views.PickedFilm)},
        left_out=(
            LeftOut("pick_id round_id group_id", "typed", IDS),
            LeftOut("pick_id group_id", "view", IDS),
            LeftOut("title poster_path", "typed", FILM),
            LeftOut("picked_by picked_at", "typed", SELF),
            LeftOut("watched watched_at", "typed", "an operation of its own"),
        ),
    ),
    Travels(
        tables.RoundRating,
        typed={
            "body": named(rounds.RatingGiven),
            "form": named(round_actions.RoundRatingForm),
        },
        shown={},
        left_out=(
            LeftOut("round_id", "typed", IDS),
            LeftOut("member_id", "body", SELF),
            LeftOut("rated_at", "typed", WHEN),
        ),
    ),
)
