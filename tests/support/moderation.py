"""Moderators, and what is in their queue."""

from tests.support.accounts import grant


def make_moderator(database_url, player):
    """Return a player who is a moderator from now on."""
    return grant(database_url, player, "moderator")


def open_reports(moderator, about=None):
    """Return the open reports, or those about one player."""
    reports, before = [], {}
    while before is not None:
        page = moderator.http.get("/moderation/reports", params=before).json()
        reports += page["reports"]
        before = page["older"] and {"before": page["older"]}
    return [report for report in reports if about is None or report["username"] == about.username]


def noticed(moderator, about):
    """Return what the server itself has noticed about a player: reasons with places."""
    return [
        (report["reason"], report["place"])
        for report in open_reports(moderator, about)
        if report["reporter"] is None
    ]
