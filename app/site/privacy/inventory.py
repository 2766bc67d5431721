"""Which rows of which tables belong to an account, and what becomes of them when it is erased.

A test fails if a table that refers to accounts is missing here.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from sqlalchemy import ColumnElement, Table, or_

from app.core.database.base import Base

KEEP: Mapping[str, Any] = MappingProxyType({})
"""The rows stay as they are: they name nobody, and others need them."""


@dataclass(frozen=True, slots=True)
class Personal:
    """The rows of a table in which one of the columns `owners` is the account.

    Erasing sets the columns in `erased`, or deletes the rows if that is None. An export has those rows in
    which one of `exported_by` is the account, without the columns `secret`.
    """

    owners: Sequence[str]
    erased: Mapping[str, Any] | None = None
    exported_by: Sequence[str] | None = None
    secret: Sequence[str] = field(default=())


_OWN = ("account_id",)

PERSONAL: Mapping[str, Personal] = {
    "address_undos": Personal(_OWN, secret=("token_hash",)),
    "api_tokens": Personal(_OWN, secret=("token_hash",)),
    "awards": Personal(_OWN, KEEP),
    "challenges": Personal(("maker_id", "opponent_id"), KEEP),
    "chat_messages": Personal(_OWN),
    "conditional_moves": Personal(_OWN),
    "deliveries": Personal(_OWN, exported_by=()),
    "departures": Personal(_OWN, exported_by=()),
    "devices": Personal(_OWN, secret=("token_hash",)),
    "email_addresses": Personal(_OWN, secret=("unsubscribe_key",)),
    "erasures": Personal(_OWN, KEEP),
    "exports": Personal(_OWN),
    "game_notes": Personal(_OWN),
    "games": Personal(("first_player", "second_player"), KEEP),
    "ladder_challenges": Personal(("challenger_id", "defender_id"), KEEP),
    "ladder_changes": Personal(("account_id", "opponent_id"), KEEP),
    "ladder_players": Personal(_OWN),
    "lesson_steps": Personal(_OWN),
    "mail_links": Personal(_OWN, exported_by=()),
    "message_threads": Personal(("account_id", "other_id"), exported_by=_OWN),
    "messages": Personal(("author_id", "reader_id")),
    "moderation_actions": Personal(_OWN, {"reason": "", "details": {}}, secret=("moderator_id",)),
    "notification_channels": Personal(_OWN),
    "notifications": Personal(("account_id", "actor_id"), exported_by=_OWN),
    "nugget_competitions": Personal(("organiser_id",), {"text": "", "reason": ""}),
    "nugget_drafts": Personal(_OWN),
    "nugget_entries": Personal(_OWN, KEEP, secret=("positions", "prefixes")),
    "nugget_runs": Personal(_OWN),
    "nugget_standings": Personal(_OWN, KEEP),
    "open_puzzles": Personal(_OWN, exported_by=()),
    "passkey_challenges": Personal(_OWN, exported_by=()),
    "passkeys": Personal(_OWN, secret=("public_key",)),
    "pending_log_ins": Personal(_OWN, exported_by=()),
    "profiles": Personal(_OWN),
    "push_devices": Personal(_OWN, secret=("proof", "endpoint", "p256dh", "auth")),
    "puzzle_attempts": Personal(_OWN),
    "puzzle_ratings": Personal(_OWN),
    "race_games": Personal(_OWN, KEEP),
    "races": Personal(("maker_id",), KEEP),
    "rating_changes": Personal(_OWN, KEEP),
    "ratings": Personal(_OWN, KEEP),
    "recovery_codes": Personal(_OWN, exported_by=()),
    "relations": Personal(("account_id", "other_id"), exported_by=_OWN),
    "reports": Personal(
        ("account_id", "reporter_id"), exported_by=("reporter_id",), secret=("closed_by", "quote")
    ),
    "retired_names": Personal(_OWN, {"account_id": None}, exported_by=()),
    "sanctions": Personal(_OWN, KEEP),
    "scores": Personal(_OWN, KEEP),
    "season_awards": Personal(_OWN, KEEP),
    "season_places": Personal(_OWN, KEEP),
    "second_factors": Personal(_OWN, secret=("secret",)),
    "security_events": Personal(_OWN),
    "sendings": Personal(("account_id", "actor_id"), exported_by=()),
    "sessions": Personal(_OWN, secret=("token_hash",)),
    "shown_puzzles": Personal(_OWN, exported_by=()),
    "studies": Personal(_OWN),
    "team_members": Personal(_OWN),
    "team_requests": Personal(_OWN),
    "teams": Personal(("leader_id",), {"name": "", "text": ""}),
    "tournament_pairings": Personal(("first_id", "second_id"), KEEP),
    "tournament_players": Personal(_OWN, KEEP),
    "tournaments": Personal(("organiser_id",), {"description": "", "reason": ""}, secret=("password_hash",)),
    "vacations": Personal(_OWN),
}
"""What belongs to accounts, by table. The table of accounts itself is not listed."""


def table(name: str) -> Table:
    """Return a table by its name."""
    return Base.metadata.tables[name]


def rows_of(account_id: int, name: str, columns: Sequence[str]) -> ColumnElement[bool]:
    """Return the condition of the rows of a table in which one of the columns is an account."""
    return or_(*(table(name).c[column] == account_id for column in columns))
