"""HTML in, HTML out; every page says who may see it."""

from __future__ import annotations

from litestar import Router

from commonroom.web.people.pages import (
    acting,
    administering,
    arriving,
    data,
    home,
    inviting,
    joining,
    members,
    profile,
    resetting,
    security,
    tokens,
)

LARGEST_FORM = 64 * 1024

router = Router(
    "/",
    route_handlers=[
        home.front_door,
        home.choose_theme,
        arriving.set_up_form,
        arriving.set_up,
        arriving.sign_in_form,
        arriving.sign_in,
        arriving.sign_out,
        joining.sign_up_form,
        joining.sign_up,
        resetting.forgotten,
        resetting.new_password_form,
        resetting.choose_new_password,
        profile.profile_form,
        profile.save_profile,
        profile.notifications_form,
        profile.save_notifications,
        security.security,
        security.back_to_security,
        security.change_address,
        security.change_password,
        security.end_session,
        security.end_other_sessions,
        tokens.tokens,
        tokens.make,
        tokens.revoke,
        members.members,
        members.add_member,
        members.member_form,
        members.save_member,
        members.remove_member,
        acting.who_is_here,
        acting.act_as,
        data.my_data,
        data.download,
        data.back_to_my_data,
        data.delete_account,
        administering.everybody,
        administering.person,
        administering.back_to_person,
        administering.make_reset_link,
        administering.make_administrator,
        administering.make_ordinary,
        administering.disable,
        administering.enable,
        inviting.invitations,
        inviting.invite,
        inviting.revoke,
    ],
    include_in_schema=False,
    request_max_body_size=LARGEST_FORM,
)

__all__ = ["router"]
