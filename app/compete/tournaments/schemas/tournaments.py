"""Tournaments as programs see them."""

from datetime import datetime
from typing import Any

from pydantic import BaseModel, ConfigDict

from app.compete.tournaments.queries.tournaments import TournamentInfo
from app.compete.tournaments.service import Preview
from app.compete.tournaments.terms import TournamentKind
from app.core.database.ranking import RankedPage
from app.core.web.registered import GameKey, Options
from app.people.eligibility import Misfit
from app.play.lobby.schemas import Control
from engine.clock import control_to_dict

_CONTROL: dict[str, Any] = {"kind": "realtime", "limit": 180, "increment": 2}
_SHOWN: dict[str, Any] = {
    "id": "k7m2wq9xab",
    "url": "/tournaments/k7m2wq9xab",
    "name": "Thursday arena",
    "description": "",
    "kind": "arena",
    "status": "created",
    "organiser": "wren",
    "game": "jadejack",
    "options": {"size": 9},
    "time_control": _CONTROL,
    "rated": False,
    "starts_at": "2026-01-01T19:00:00Z",
    "ends_at": None,
    "started_at": None,
    "ended_at": None,
    "pause_until": None,
    "players": 12,
    "max_players": 100,
    "round": 0,
    "rounds": None,
    "plan": {
        "minutes": 45,
        "late_games": "count",
        "rounds": 0,
        "pause": 15,
        "groups": 1,
        "promoted": 0,
        "is_double": False,
        "at_once": 0,
        "best_of": 1,
    },
    "rating_min": None,
    "rating_max": None,
    "min_games": 0,
    "team": None,
    "has_password": False,
    "computers": True,
    "chat": True,
    "reason": "",
}


class TournamentMade(BaseModel):
    """A new tournament."""

    model_config = ConfigDict(
        json_schema_extra={"examples": [{"id": "k7m2wq9xab", "url": "/tournaments/k7m2wq9xab"}]}
    )

    id: str
    url: str


class TournamentShown(TournamentMade):
    """A tournament with its terms. `players` is their number, `rounds` null while it is unknown."""

    model_config = ConfigDict(json_schema_extra={"examples": [_SHOWN]})

    name: str
    description: str
    kind: TournamentKind
    status: str
    organiser: str | None
    game: GameKey
    options: Options
    time_control: Control
    rated: bool
    starts_at: datetime | None
    ends_at: datetime | None
    started_at: datetime | None
    ended_at: datetime | None
    pause_until: datetime | None
    players: int
    max_players: int
    round: int
    rounds: int | None
    plan: dict[str, int | bool | str]
    rating_min: int | None
    rating_max: int | None
    min_games: int
    team: str | None
    has_password: bool
    computers: bool
    chat: bool
    reason: str

    @classmethod
    def of(cls, info: TournamentInfo) -> "TournamentShown":
        """Return a tournament as the API shows it."""
        terms = info.terms
        return cls.model_validate(
            {
                "id": info.id,
                "url": f"/tournaments/{info.id}",
                "name": terms.name,
                "description": terms.description,
                "kind": terms.kind,
                "status": info.status,
                "organiser": info.organiser,
                "game": terms.game,
                "options": dict(terms.options),
                "time_control": control_to_dict(terms.control),
                "rated": terms.rated,
                "starts_at": terms.starts_at,
                "ends_at": info.ends_at,
                "started_at": info.started_at,
                "ended_at": info.ended_at,
                "pause_until": info.pause_until,
                "players": info.size,
                "max_players": terms.max_players,
                "round": info.round,
                "rounds": info.rounds,
                "plan": terms.plan.to_dict(),
                "rating_min": terms.rating_min,
                "rating_max": terms.rating_max,
                "min_games": terms.min_games,
                "team": terms.team_id,
                "has_password": info.has_password,
                "computers": terms.computers,
                "chat": terms.chat,
                "reason": info.reason,
            }
        )


class TournamentList(BaseModel):
    """A page of tournaments, and the cursor of the next one."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"tournaments": [_SHOWN], "next": None}]})

    tournaments: list[TournamentShown]
    next: str | None

    @classmethod
    def of(cls, page: RankedPage[TournamentInfo]) -> "TournamentList":
        """Return a page of a list as the API shows it."""
        return cls(tournaments=[TournamentShown.of(info) for info in page.rows], next=page.next)


class LeftOut(BaseModel):
    """A player whom other terms would leave out, and why: codes as those of joining."""

    model_config = ConfigDict(
        json_schema_extra={"examples": [{"username": "wren", "reasons": ["rating_out_of_range"]}]}
    )

    username: str
    reasons: list[Misfit]


class PreviewShown(BaseModel):
    """What other terms of a tournament would do to its players."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {"players": 12, "left_out": [{"username": "wren", "reasons": ["rating_out_of_range"]}]}
            ]
        }
    )

    players: int
    left_out: list[LeftOut]

    @classmethod
    def of(cls, preview: Preview) -> "PreviewShown":
        """Return a preview as programs see it."""
        left_out = [
            LeftOut(username=username, reasons=list(reasons))
            for username, reasons in preview.left_out.items()
        ]
        return cls(players=preview.players, left_out=left_out)
