"""Accounts: people, managed members, tokens and invitations."""

from __future__ import annotations

from commonroom.accounts.api import bodies, views
from commonroom.accounts.pages.administration import InvitationForm
from commonroom.accounts.pages.profiles import MemberForm, ProfileForm
from commonroom.accounts.pages.tokens import TokenForm
from commonroom.accounts.tables import ApiToken, Invitation, User
from tests.house.fields.surfaces import LeftOut, Travels, named, told_by

TRAVELS = (
    Travels(
        User,
        typed={
            "change": named(bodies.ProfileChange),
            "form": named(ProfileForm),
            "new_member": named(bodies.NewMember),
            "member_change": named(bodies.MemberChange),
            "member_form": named(MemberForm, ceiling="content_rating_ceiling"),
        },
        shown={
            "me": named(views.Me),
            "member": told_by(User, views.member),
            "administrator": told_by(User, views.person),
        },
        left_out=(
            LeftOut("user_id created_at", "typed", "given by the house"),
            LeftOut(
                "is_managed parent_user_id managed_count",
                "typed shown",
                "which view it is says that",
            ),
            LeftOut(
                "email email_confirmed_at new_email",
                "typed",
                "an address changes by itself, with the password",
            ),
            LeftOut(
                "email email_confirmed_at is_admin", "member", "a managed member does not sign in"
            ),
            LeftOut("new_email household_id", "member administrator", "the person's own alone"),
            LeftOut(
                "is_admin disabled_at last_active_at",
                "typed",
                "administrators decide, or the clock",
            ),
            LeftOut("disabled_at last_active_at", "me member", "what administrators look at"),
            LeftOut("updated_at", "typed administrator", "when it is written"),
            LeftOut("household_id", "typed", "movie night writes it"),
            LeftOut(
                "content_rating_ceiling",
                "change form me administrator",
                "a parent's to say of a member",
            ),
            LeftOut(
                "language time_zone",
                "new_member member_change member_form member administrator",
                "of who signs in",
            ),
            LeftOut(
                "notification_prefs",
                "form new_member member_change member_form member administrator",
                "its page is `/me/notifications`",
            ),
            LeftOut(
                "notification_channels quiet_from quiet_until digest_at",
                "typed shown",
                "notifications have their own settings",
            ),
            LeftOut("blocked", "typed shown", "blocks have a list of their own"),
            LeftOut("device_token", "typed shown", "of the data model, and never written"),
            LeftOut("address_changes epoch", "typed shown", "what ends links and sessions"),
            LeftOut(
                "invited_at opened_rooms steps_done_at", "typed shown", "what the first steps go by"
            ),
        ),
    ),
    Travels(
        ApiToken,
        typed={
            "new": named(bodies.NewToken, days="ttl"),
            "form": named(TokenForm, read="scopes", days="ttl"),
        },
        shown={"view": told_by(ApiToken, views.token)},
        left_out=(
            LeftOut("digest made_at used_at", "typed", "given by the house"),
            LeftOut("user_id epoch", "typed shown", "the caller's own"),
        ),
    ),
    Travels(
        Invitation,
        typed={
            "new": named(bodies.NewInvitation, uses="uses_left"),
            "form": named(InvitationForm, uses="uses_left"),
        },
        shown={"view": told_by(Invitation, views.invitation)},
        left_out=(
            LeftOut("digest made_at made_by", "typed", "given by the house"),
            LeftOut("ttl", "typed", "the same for all of them"),
        ),
    ),
)
