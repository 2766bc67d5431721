"""Tournaments, the calendar and seasons as programs see them."""

from collections.abc import Sequence
from dataclasses import asdict
from datetime import datetime
from typing import Annotated

from pydantic import BaseModel

from app.compete.tournaments.queries.pairings import PairingShown
from app.compete.tournaments.queries.standings import StandingShown
from app.compete.tournaments.queries.tournaments import TournamentInfo
from app.compete.tournaments.seasons import SeasonRowShown
from app.compete.tournaments.service import Preview
from app.compete.tournaments.terms import Plan, TournamentKind
from app.compete.tournaments.views import CalendarEntry
from app.core.database.ranking import RankedPage
from app.core.web.paging import RankedList
from app.core.web.registered import GameKey, Options
from app.core.web.shown import Id, NextCursor, Text, Unchecked, Username, example
from app.people.eligibility import Misfit
from app.play.lobby.schemas import ControlShown


class TournamentMade(BaseModel):
    """A new tournament."""

    id: Id
    url: Annotated[str, example("/tournaments/k7m2wq9xab")]


class TournamentShown(TournamentMade):
    """A tournament with its terms. `players` is their number, `rounds` null while it is unknown."""

    name: Annotated[str, example("Thursday arena")]
    description: Text
    kind: Unchecked[TournamentKind]
    status: Annotated[str, example("created")]
    organiser: Username | None
    game: GameKey
    options: Options
    time_control: ControlShown
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
    plan: Annotated[dict[str, int | bool | str], example(asdict(Plan(minutes=45)))]
    rating_min: int | None
    rating_max: int | None
    min_games: int
    team: Id | None
    has_password: bool
    computers: bool
    chat: bool
    reason: Text

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
                "time_control": terms.control,
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

    tournaments: list[TournamentShown]
    next: NextCursor | None

    @classmethod
    def of(cls, page: RankedPage[TournamentInfo]) -> "TournamentList":
        """Return a page of a list as the API shows it."""
        return cls(tournaments=[TournamentShown.of(info) for info in page.rows], next=page.next)


class LeftOut(BaseModel):
    """A player whom other terms would leave out, and why: codes as those of joining."""

    username: Username
    reasons: list[Unchecked[Misfit]]


class PreviewShown(BaseModel):
    """What other terms of a tournament would do to its players."""

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


class CalendarShown(BaseModel):
    """What goes on now and what comes, by the start."""

    entries: list[CalendarEntry]


class SeasonList(BaseModel):
    """The seasons in which there were points, the latest first."""

    seasons: list[Annotated[str, example("2026-4")]]


class SeasonTable(RankedList[SeasonRowShown]):
    """A page of a season's table, and the cursor of the next one. A final table never changes."""

    is_final: bool


class Standings(RankedList[StandingShown]):
    """A page of the standings, and the cursor of the next one."""


class Rounds(BaseModel):
    """The pairings of a tournament by rounds; of an arena, the latest ones."""

    pairings: list[PairingShown]


class Export(BaseModel):
    """All about a tournament."""

    tournament: TournamentShown
    standings: Sequence[StandingShown]
    pairings: Sequence[PairingShown]
