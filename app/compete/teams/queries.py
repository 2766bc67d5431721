"""Teams and their members, read from the database."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Annotated, Any, Literal

from pydantic import Field
from sqlalchemy import Select, and_, case, func, or_, select, true, union_all
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import aliased

from app.compete.teams.models import Team, TeamMember, TeamRequest
from app.core.database.statements import made_once
from app.core.database.unreadable import readable, readable_page
from app.core.errors import NotFoundError
from app.core.web.registered import GameKey
from app.core.web.shown import GameId, Hidden, Id, ShownAs, Text, Unchecked, Username, example
from app.people.identity.models import Account
from app.people.social.queries import hidden_authors
from app.play.games.models import Game
from app.play.ratings import queries as ratings
from app.play.ratings.counting import PlayersRating
from app.play.ratings.schemas import KnownRatings
from engine.registry import FOR_TWO

_JOIN = {True: "open", False: "request"}
_LAST_GAMES = 2_000  # of the site
_SHOWN_GAMES = 20  # of a team
_TEAMS = (
    select(Team.id, Team.name, Team.text, Team.is_open, Team.size)
    .where(Team.closed_at.is_(None))
    .order_by(Team.size.desc(), Team.id)
)

_first, _second = aliased(Account), aliased(Account)
_IS_FOR_TEAMS = and_(
    Game.ended_at.is_not(None),
    Game.status == "finished",
    Game.voided_at.is_(None),
    Game.second_player.is_not(None),
)


class Role(StrEnum):
    """What a member of a team may do.

    The leader changes the team, chooses officers, hands the team over and closes it. Leader and officers let
    players in and remove members.
    """

    LEADER = "leader"
    OFFICER = "officer"
    MEMBER = "member"

    @property
    def may_admit(self) -> bool:
        """Return whether the role lets players in and removes members."""
        return self is not Role.MEMBER


_ORDER_OF_ROLES = case((TeamMember.role == Role.LEADER, 0), (TeamMember.role == Role.OFFICER, 1), else_=2)


@dataclass(frozen=True, slots=True)
class TeamShown:
    """A team; `members` is their number."""

    id: Id
    name: Annotated[str, example("Sparrows of Łódź")]
    text: Annotated[str, example("We meet on Fridays.")]
    is_open: Annotated[bool, Field(alias="join"), ShownAs(Literal["open", "request"], _JOIN.get)]
    size: Annotated[int, Field(alias="members")]


@dataclass(frozen=True, slots=True)
class TeamList:
    """A page of teams, the largest first."""

    teams: Sequence[TeamShown]
    has_more: bool


@dataclass(frozen=True, slots=True)
class TeamDetails(TeamShown):
    """A team with its leader, and the role of the token's account: null if it is no member."""

    leader: Username
    authors: Hidden[Sequence[str]]  # of its name and text
    role: Unchecked[Role | None]
    has_asked: Hidden[bool]
    is_refused: Hidden[bool]


@dataclass(frozen=True, slots=True)
class MemberShown:
    """A member of a team."""

    username: Username
    role: Unchecked[Role]
    joined_at: datetime
    ratings: KnownRatings


@dataclass(frozen=True, slots=True)
class MemberList:
    """A page of the members of a team: the leader, the officers, the others."""

    members: Sequence[MemberShown]
    has_more: bool


@dataclass(frozen=True, slots=True)
class ApplicantShown:
    """A player who wants to join a team, or who was refused or removed."""

    username: Username
    text: Text
    asked_at: datetime
    is_refused: bool


@dataclass(frozen=True, slots=True)
class TeamGameShown:
    """A game that a member has finished; the players are in the order of the sides."""

    id: GameId
    game: GameKey
    players: Unchecked[
        Annotated[Sequence[str], Field(min_length=2, max_length=2, examples=[["wren", "finch"]])]
    ]
    winner: Username | None
    status: Hidden[str]
    ended_at: datetime


async def get(session: AsyncSession, team_id: str, account_id: int | None) -> TeamDetails:
    """Return a team as an account sees it. Raise NotFoundError if there is none, or it is closed."""
    team = await session.get(Team, team_id)
    if team is None or team.closed_at is not None:
        raise NotFoundError("team")
    leader = await session.get_one(Account, team.leader_id)
    author_ids = dict.fromkeys(each or team.leader_id for each in (team.written_by, team.text_by))
    role = await role_of(session, team_id, account_id) if account_id else None
    request = await request_of(session, team_id, account_id) if account_id else None
    is_refused = request is not None and request.refused_at is not None
    return TeamDetails(
        team.id,
        team.name,
        team.text,
        team.is_open,
        team.size,
        leader.username,
        [(await session.get_one(Account, each)).username for each in author_ids],
        role,
        has_asked=request is not None and not is_refused,
        is_refused=is_refused,
    )


async def is_member(session: AsyncSession, team_id: str, account_id: int) -> bool:
    """Return whether an account belongs to a team that is not closed."""
    return await role_of(session, team_id, account_id) is not None


async def role_of(session: AsyncSession, team_id: str, account_id: int) -> Role | None:
    """Return the role of an account in a team that is not closed, or None if it is not a member."""
    role = await session.scalar(
        select(TeamMember.role)
        .join(Team, Team.id == TeamMember.team_id)
        .where(Team.id == team_id, TeamMember.account_id == account_id, Team.closed_at.is_(None))
    )
    return None if role is None else Role(role)


async def teams_of(session: AsyncSession, account_id: int) -> list[TeamShown]:
    """Return the teams of an account, the largest first."""
    return [TeamShown(*row) for row in await session.execute(*_teams_of(account_id))]


@made_once
def _teams_of(account_id: int) -> Select[*tuple[Any, ...]]:
    joined = select(TeamMember.team_id).where(TeamMember.account_id == account_id)
    return _TEAMS.where(Team.id.in_(joined))


async def named(session: AsyncSession, words: str, *, number: int, limit: int) -> TeamList:
    """Return a page of the teams whose names contain some words ("" is in all of them)."""
    is_named = func.lower(Team.name).contains(words.lower(), autoescape=True)
    page = _TEAMS.where(is_named).offset(limit * (number - 1)).limit(limit + 1)
    teams = [TeamShown(*row) for row in await session.execute(page)]
    return TeamList(teams[:limit], len(teams) > limit)


async def members(session: AsyncSession, team_id: str, *, number: int, limit: int) -> MemberList:
    """Return a page of the members of a team, with their ratings; in each role in the order of joining."""
    rows = await session.execute(
        select(TeamMember, Account.username)
        .join(Account, Account.id == TeamMember.account_id)
        .where(TeamMember.team_id == team_id)
        .order_by(_ORDER_OF_ROLES, TeamMember.joined_at, TeamMember.account_id)
        .offset(limit * (number - 1))
        .limit(limit + 1)
    )
    joined = rows.all()
    known = await ratings.of_accounts(session, [member.account_id for member, _username in joined])
    listed = [(member, username, known.get(member.account_id, {})) for member, username in joined]
    return MemberList(*readable_page(_member, listed, limit))


def _member(row: TeamMember, username: str, known: Mapping[str, PlayersRating]) -> MemberShown:
    return MemberShown(username, Role(row.role), row.joined_at, known)


async def request_of(session: AsyncSession, team_id: str, account_id: int) -> TeamRequest | None:
    """Return the request of an account to join a team, or that it was refused, or None."""
    return await session.get(TeamRequest, (team_id, account_id))


async def applicants(
    session: AsyncSession, team_id: str, account_id: int, limit: int
) -> list[ApplicantShown]:
    """Return who wants to join a team, then who was refused or removed; the latest first.

    The account does not see the texts of those whose words it never sees.
    """
    hidden = await hidden_authors(session, account_id)
    rows = await session.execute(
        select(TeamRequest, Account.username)
        .join(Account, Account.id == TeamRequest.account_id)
        .where(TeamRequest.team_id == team_id, Account.closed_at.is_(None))
        .order_by(TeamRequest.refused_at.is_not(None), TeamRequest.asked_at.desc())
        .limit(limit)
    )
    return [
        ApplicantShown(
            username,
            "" if request.account_id in hidden else request.text,
            request.asked_at,
            request.refused_at is not None,
        )
        for request, username in rows
    ]


async def latest_games(session: AsyncSession, team_id: str) -> list[TeamGameShown]:
    """Return the last games for two that members of a team have finished, the latest first.

    Those of a large team are among the last games of the site; only those of others are looked for by member.
    """
    ids = list(await session.scalars(_among_the_last(team_id)))
    if len(ids) < _SHOWN_GAMES:
        ids = list(await session.scalars(_by_member(team_id)))
    rows = await session.execute(
        select(Game, _first.username, _second.username)
        .join(_first, _first.id == Game.first_player)
        .join(_second, _second.id == Game.second_player)
        .where(Game.id.in_(ids))
        .order_by(Game.ended_at.desc(), Game.id)
    )
    return readable(_team_game, ((game, (first, second)) for game, first, second in rows))


def _among_the_last(team_id: str) -> Select[str]:
    """Return the query for the ids of a team's last games among the last ones of the site."""
    last = (
        select(Game.id, Game.first_player, Game.second_player, Game.ended_at)
        .where(_IS_FOR_TEAMS)
        .order_by(Game.ended_at.desc())
        .limit(_LAST_GAMES)
        .subquery()
    )
    members = select(TeamMember.account_id).where(TeamMember.team_id == team_id)
    is_of_member = or_(last.c.first_player.in_(members), last.c.second_player.in_(members))
    return select(last.c.id).where(is_of_member).order_by(last.c.ended_at.desc()).limit(_SHOWN_GAMES)


def _by_member(team_id: str) -> Select[str]:
    """Return the query for the ids of a team's last games. Each member's games are the end of an index."""
    seats = (
        select(Game.id, Game.ended_at)
        .where(seat == TeamMember.account_id, _IS_FOR_TEAMS)
        .order_by(Game.ended_at.desc())
        .limit(_SHOWN_GAMES)
        .lateral()
        for seat in (Game.first_player, Game.second_player)
    )
    latest = union_all(
        *(
            select(seat.c.id, seat.c.ended_at)
            .select_from(TeamMember)
            .join(seat, true())
            .where(TeamMember.team_id == team_id)
            for seat in seats
        )
    ).subquery()
    by_end = select(latest.c.id).group_by(latest.c.id).order_by(func.max(latest.c.ended_at).desc())
    return by_end.limit(_SHOWN_GAMES)


def _team_game(game: Game, players: tuple[str, str]) -> TeamGameShown:
    assert game.ended_at is not None
    winner = None if game.winner_seat is None else players[game.winner_seat]
    return TeamGameShown(game.id, FOR_TWO[game.game].key, players, winner, game.status, game.ended_at)


async def is_reserved(session: AsyncSession, name: str, team_id: str) -> bool:
    """Return whether a name is the one that another team gets when its own name is removed."""
    before, word, other_id = name.lower().partition("team ")
    if before or not word:
        return False
    other = select(Team.id).where(Team.id == other_id, Team.id != team_id)
    return await session.scalar(other) is not None


def count_led(account_id: int) -> Select[int]:
    """Return the query for the number of teams that an account leads."""
    return select(func.count()).where(Team.leader_id == account_id, Team.closed_at.is_(None))


def count_joined(account_id: int) -> Select[int]:
    """Return the query for the number of teams that an account belongs to or has asked to join."""
    joined = select(TeamMember.team_id).where(TeamMember.account_id == account_id)
    asked = select(TeamRequest.team_id).where(
        TeamRequest.account_id == account_id, TeamRequest.refused_at.is_(None)
    )
    return select(func.count()).where(
        Team.id.in_(union_all(joined, asked).scalar_subquery()), Team.closed_at.is_(None)
    )
