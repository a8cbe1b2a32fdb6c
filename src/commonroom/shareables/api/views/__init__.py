"""What the API shows of shareables: never a hash, and a code only to whoever gave the answer."""

from commonroom.shareables.api.views.answers import (
    GivenRsvp,
    GivenVote,
    Guest,
    MyRsvp,
    MyVote,
    given_rsvp,
    given_vote,
    guest,
    my_rsvp,
    my_vote,
)
from commonroom.shareables.api.views.pages import (
    Checklist,
    Event,
    Poll,
    PollResults,
    SharedPage,
    poll_results,
    shared_page,
)
from commonroom.shareables.api.views.passes import (
    Extended,
    ListedPage,
    MadePage,
    PagePass,
    listed_page,
    made_page,
)

__all__ = [
    "Checklist",
    "Event",
    "Extended",
    "GivenRsvp",
    "GivenVote",
    "Guest",
    "ListedPage",
    "MadePage",
    "MyRsvp",
    "MyVote",
    "PagePass",
    "Poll",
    "PollResults",
    "SharedPage",
    "given_rsvp",
    "given_vote",
    "guest",
    "listed_page",
    "made_page",
    "my_rsvp",
    "my_vote",
    "poll_results",
    "shared_page",
]
