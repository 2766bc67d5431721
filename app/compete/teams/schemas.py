"""Teams in the JSON API."""

from datetime import datetime
from typing import Annotated, Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field

from app.compete.teams.forms import RequestText, TeamName, TeamText
from app.compete.teams.models import Team
from app.compete.teams.queries import Applicant, Member, TeamGame
from app.compete.teams.roles import Role
from app.compete.teams.service import MemberPage, TeamInfo, TeamPage, Terms
from app.core.web.bodies import RequestBody
from app.core.web.registered import GameKey
from app.play.ratings.schemas import OwnRating

_TERMS: dict[str, Any] = {"name": "Sparrows of Łódź", "text": "We meet on Fridays.", "join": "request"}
_TEAM: dict[str, Any] = {**_TERMS, "id": "k7m2wq9xab", "members": 12}
_MEMBER: dict[str, Any] = {
    "username": "wren",
    "role": "leader",
    "joined_at": "2026-11-21T18:05:00Z",
    "ratings": {"jadejack": {"rating": 1712, "deviation": 64, "provisional": False, "games": 48}},
}
_GAME: dict[str, Any] = {
    "id": "x3p8mk2rtz",
    "game": "jadejack",
    "players": ["wren", "finch"],
    "winner": "wren",
    "ended_at": "2026-11-21T18:05:00Z",
}


class TeamTerms(RequestBody):
    """What a leader decides about a team; with `request`, players have to be let in."""

    model_config = ConfigDict(json_schema_extra={"examples": [_TERMS]})

    name: TeamName
    text: TeamText = ""
    join: Literal["open", "request"] = "open"

    @property
    def terms(self) -> Terms:
        """Return it as a value."""
        return Terms(self.name, self.text, self.join == "open")


class TeamMade(BaseModel):
    """A new team."""

    model_config = ConfigDict(
        json_schema_extra={"examples": [{"id": "k7m2wq9xab", "url": "https://play.example/teams/k7m2wq9xab"}]}
    )

    id: str
    url: str


class TeamShown(BaseModel):
    """A team; `members` is their number."""

    model_config = ConfigDict(json_schema_extra={"examples": [_TEAM]})

    id: str
    name: str
    text: str
    join: Literal["open", "request"]
    members: int

    @classmethod
    def of(cls, team: Team) -> "TeamShown":
        """Return a team as the API shows it."""
        join: Literal["open", "request"] = "open" if team.is_open else "request"
        return cls(id=team.id, name=team.name, text=team.text, join=join, members=team.size)


class TeamList(BaseModel):
    """A page of teams, the largest first."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"teams": [_TEAM], "has_more": False}]})

    teams: list[TeamShown]
    has_more: bool

    @classmethod
    def of(cls, page: TeamPage) -> Self:
        """Return a page of teams as the API shows it."""
        return cls(teams=[TeamShown.of(team) for team in page.teams], has_more=page.has_more)


class TeamDetails(TeamShown):
    """A team with its leader, and the role of the token's account: null if it is no member."""

    model_config = ConfigDict(json_schema_extra={"examples": [{**_TEAM, "leader": "wren", "role": "member"}]})

    leader: str
    role: Role | None

    @classmethod
    def with_viewer(cls, info: TeamInfo) -> "TeamDetails":
        """Return a team as the API shows it to a viewer."""
        return cls(**TeamShown.of(info.team).model_dump(), leader=info.leader, role=info.role)


class MemberShown(BaseModel):
    """A member of a team."""

    model_config = ConfigDict(json_schema_extra={"examples": [_MEMBER]})

    username: str
    role: Role
    joined_at: datetime
    ratings: dict[str, OwnRating]

    @classmethod
    def of(cls, member: Member) -> "MemberShown":
        """Return a member as the API shows them."""
        ratings = {game: OwnRating.of(rating, games) for game, (rating, games) in member.ratings.items()}
        return cls(username=member.username, role=member.role, joined_at=member.joined_at, ratings=ratings)


class MemberList(BaseModel):
    """A page of the members of a team: the leader, the officers, the others."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"members": [_MEMBER], "has_more": False}]})

    members: list[MemberShown]
    has_more: bool

    @classmethod
    def of(cls, page: MemberPage) -> Self:
        """Return a page of members as the API shows it."""
        return cls(members=[MemberShown.of(member) for member in page.members], has_more=page.has_more)


class TeamGameShown(BaseModel):
    """A game that a member has finished; the players are in the order of the sides."""

    model_config = ConfigDict(json_schema_extra={"examples": [_GAME]})

    id: str
    game: GameKey
    players: Annotated[list[str], Field(min_length=2, max_length=2)]
    winner: str | None
    ended_at: datetime

    @classmethod
    def of(cls, game: TeamGame) -> "TeamGameShown":
        """Return a game as the API shows it."""
        return cls(
            id=game.id, game=game.game, players=list(game.players), winner=game.winner, ended_at=game.ended_at
        )


class MembershipRequest(RequestBody):
    """What a player who wants to join a team writes to its leader."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"text": "I live next door."}]})

    text: RequestText = ""


class MembershipShown(BaseModel):
    """Whether a player is a member now, or has asked to become one."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"status": "asked"}]})

    status: Literal["member", "asked"]


class ApplicantShown(BaseModel):
    """A player who wants to join a team, or who was refused or removed."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {"username": "finch", "text": "", "asked_at": "2026-11-21T18:05:00Z", "is_refused": False}
            ]
        }
    )

    username: str
    text: str
    asked_at: datetime
    is_refused: bool

    @classmethod
    def of(cls, applicant: Applicant) -> "ApplicantShown":
        """Return an applicant as the API shows them."""
        return cls(
            username=applicant.username,
            text=applicant.text,
            asked_at=applicant.asked_at,
            is_refused=applicant.is_refused,
        )


class RoleChange(RequestBody):
    """The new role of a member; `leader` hands the team over."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"role": "officer"}]})

    role: Literal["leader", "officer", "member"]
