"""Watchlists: lists, what is on them, opinions of titles, and profiles."""

from __future__ import annotations

from commonroom.watchlists import tables
from commonroom.watchlists.api import comments, curators, items, list_views, lists, opinions
from commonroom.watchlists.pages.comments import CommentForm
from commonroom.watchlists.pages.curators import ApplicationForm, CuratorProfileForm
from commonroom.watchlists.pages.lists import EditForm
from commonroom.watchlists.pages.opinions import ReviewForm, SeenForm, StarsForm
from commonroom.watchlists.rules.formats import ItemRead, ListRead, OpinionRead, TitleRead
from tests.house.fields.surfaces import LeftOut, Travels, named

IDS = "where it is"
SELF = "who does it, the caller is"
WHEN = "when it is written"

TRAVELS = (
    Travels(
        tables.Watchlist,
        typed={
            "new": named(lists.NewWatchlist),
            "change": named(lists.ListChanges, cover="cover_title"),
            "form": named(EditForm, cover="cover_title", visibility="is_public"),
        },
        shown={
            "view": named(list_views.WatchlistView),
            "file": named(ListRead),
        },
        left_out=(
            LeftOut("watchlist_id curator_id", "typed file", IDS),
            LeftOut("curator_id", "view", "the owner has a name"),
            LeftOut("curator_name curator_avatar_key curator_avatar_url", "typed file", "copied"),
            LeftOut("curator_status", "typed shown", "copied, and decides who sees it"),
            LeftOut("cover_title cover_image_url", "new", "nothing is on it yet"),
            LeftOut("cover_title", "file", "a title says that it is on the cover"),
            LeftOut("is_public", "file", "an import asks who may see it"),
            LeftOut("item_count save_count comment_count", "typed file", "counted"),
            LeftOut("genres posters", "typed file", "follow from what is on it"),
            LeftOut("created_at updated_at", "typed file", WHEN),
            LeftOut("published_at announced_at begun_at", "typed shown", "what news go by"),
            LeftOut("announced_to added_count", "typed shown", "what news go by"),
            LeftOut("last_position revision", "typed shown", "of use to the next item and caches"),
            LeftOut("collaborator_ids", "typed shown", "collaborators are shown themselves"),
            LeftOut("view_key_digest join_key_digest", "typed shown", "open it"),
            LeftOut("copied_from is_being_copied", "typed shown", "of use to its copying alone"),
            LeftOut("version", "typed shown", "an ETag"),
        ),
    ),
    Travels(
        tables.WatchlistItem,
        typed={"new": named(items.NewListItem, note="curator_note")},
        shown={
            "view": named(list_views.ListItem),
            "file": named(TitleRead, ItemRead, note="curator_note"),
        },
        left_out=(
            LeftOut("watchlist_id", "typed shown", IDS),
            LeftOut("position", "typed shown", "the order of the list says"),
            LeftOut("added_at added_by", "typed", WHEN),
            LeftOut("added_by", "shown", "a list is its owner's, whoever helped"),
            LeftOut(
                "title year genres poster_url runtime number_of_seasons", "typed", "the title's"
            ),
            LeftOut("poster_url number_of_seasons", "file", "the title's"),
        ),
    ),
    Travels(
        tables.Comment,
        typed={
            "new": named(comments.NewComment, text="comment_text"),
            "form": named(CommentForm, text="comment_text"),
        },
        shown={"view": named(comments.CommentView, text="comment_text")},
        left_out=(
            LeftOut("watchlist_id", "typed shown", IDS),
            LeftOut("user_id", "typed", SELF),
            LeftOut("user_id", "view", "the author has a name"),
            LeftOut("created_at", "typed", WHEN),
            LeftOut("list_owner_id", "typed shown", "whom it is announced to"),
        ),
    ),
    Travels(
        tables.Rating,
        typed={
            "body": named(opinions.RatingBody),
            "forms": named(StarsForm, ReviewForm),
            "file_import": named(OpinionRead),
        },
        shown={
            "view": named(opinions.RatingView),
            "opinion": named(opinions.OpinionView),
            "file": named(OpinionRead),
        },
        left_out=(
            LeftOut("user_id", "typed shown", SELF),
            LeftOut("content_type content_id", "typed opinion file", "the title's"),
            LeftOut("rated_at", "body forms", WHEN),
            LeftOut("version", "typed shown", "the last change stands"),
        ),
    ),
    Travels(
        tables.Seen,
        typed={
            "body": named(opinions.SeenBody),
            "form": named(SeenForm),
            "file_import": named(OpinionRead),
        },
        shown={
            "opinion": named(opinions.OpinionView),
            "file": named(OpinionRead),
        },
        left_out=(
            LeftOut("user_id", "typed shown", SELF),
            LeftOut("content_type content_id", "typed shown", "the title's"),
            LeftOut("marked_at", "typed shown", WHEN),
            LeftOut("other_days", "body form", "imports bring them"),
            LeftOut("own evenings dismissed", "typed shown", "where it comes from"),
            LeftOut("version", "typed shown", "the last change stands"),
        ),
    ),
    Travels(
        tables.Profile,
        typed={
            "change": named(curators.ProfileChanges),
            "form": named(CuratorProfileForm),
            "application": named(curators.Application),
            "application_form": named(ApplicationForm),
        },
        shown={
            "own": named(curators.ProfileView),
            "public": named(curators.Curator),
            "administrators": named(curators.Applicant),
        },
        left_out=(
            LeftOut("user_id", "typed own public", "the person has a name"),
            LeftOut("email", "typed shown", "the account's"),
            LeftOut("username bio avatar_url", "application application_form", "the profile's"),
            LeftOut("avatar_key", "form application application_form", "chosen with the account"),
            LeftOut("avatar_key avatar_url", "administrators", "decided by what is written"),
            LeftOut("motivation", "change form public", "an application of its own"),
            LeftOut("is_curator", "typed own administrators", "follows from curator_status"),
            LeftOut("curator_status curator_moves", "typed public", "administrators decide"),
            LeftOut("curator_since", "typed own public", "its moves say"),
            LeftOut("follower_count list_count public_list_count", "typed", "counted"),
            LeftOut("list_count", "public administrators", "private lists are nobody else's"),
            LeftOut("created_at updated_at", "typed", WHEN),
            LeftOut("created_at", "administrators", "its moves say when"),
            LeftOut("updated_at", "public administrators", "nobody else's"),
            LeftOut("version", "typed public administrators", "an ETag"),
        ),
    ),
)
