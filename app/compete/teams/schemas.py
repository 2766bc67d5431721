"""Teams in the JSON API."""

from datetime import datetime
from typing import Annotated, Literal, Self

from pydantic import BaseModel, Field

from app.compete.teams.forms import RequestText, TeamName, TeamText
from app.compete.teams.models import Team
from app.compete.teams.queries import Applicant, Member, TeamGame
from app.compete.teams.roles import Role
from app.compete.teams.service import MemberPage, TeamInfo, TeamPage, Terms
from app.core.web.bodies import RequestBody
from app.core.web.registered import GameKey
from app.core.web.shown import Id, Text, Username, example
from app.play.ratings.schemas import OwnRating, RatingsByGame


class TeamTerms(RequestBody):
    """What a leader decides about a team; with `request`, players have to be let in."""

    name: TeamName
    text: TeamText = ""
    join: Literal["open", "request"] = "open"

    @property
    def terms(self) -> Terms:
        """Return it as a value."""
        return Terms(self.name, self.text, self.join == "open")


class TeamMade(BaseModel):
    """A new team."""

    id: Id
    url: Annotated[str, example("https://play.example/teams/k7m2wq9xab")]


class TeamShown(BaseModel):
    """A team; `members` is their number."""

    id: Id
    name: Annotated[str, example("Sparrows of Łódź")]
    text: Annotated[str, example("We meet on Fridays.")]
    join: Literal["open", "request"]
    members: int

    @classmethod
    def of(cls, team: Team) -> "TeamShown":
        """Return a team as the API shows it."""
        join: Literal["open", "request"] = "open" if team.is_open else "request"
        return cls(id=team.id, name=team.name, text=team.text, join=join, members=team.size)


class TeamList(BaseModel):
    """A page of teams, the largest first."""

    teams: list[TeamShown]
    has_more: bool

    @classmethod
    def of(cls, page: TeamPage) -> Self:
        """Return a page of teams as the API shows it."""
        return cls(teams=[TeamShown.of(team) for team in page.teams], has_more=page.has_more)


class TeamDetails(TeamShown):
    """A team with its leader, and the role of the token's account: null if it is no member."""

    leader: Username
    role: Role | None

    @classmethod
    def with_viewer(cls, info: TeamInfo) -> "TeamDetails":
        """Return a team as the API shows it to a viewer."""
        return cls(**TeamShown.of(info.team).model_dump(), leader=info.leader, role=info.role)


class MemberShown(BaseModel):
    """A member of a team."""

    username: Username
    role: Role
    joined_at: datetime
    ratings: RatingsByGame

    @classmethod
    def of(cls, member: Member) -> "MemberShown":
        """Return a member as the API shows them."""
        ratings = {game: OwnRating.of(rating, games) for game, (rating, games) in member.ratings.items()}
        return cls(username=member.username, role=member.role, joined_at=member.joined_at, ratings=ratings)


class MemberList(BaseModel):
    """A page of the members of a team: the leader, the officers, the others."""

    members: list[MemberShown]
    has_more: bool

    @classmethod
    def of(cls, page: MemberPage) -> Self:
        """Return a page of members as the API shows it."""
        return cls(members=[MemberShown.of(member) for member in page.members], has_more=page.has_more)


class TeamGameShown(BaseModel):
    """A game that a member has finished; the players are in the order of the sides."""

    id: Id
    game: GameKey
    players: Annotated[list[str], Field(min_length=2, max_length=2, examples=[["wren", "finch"]])]
    winner: Username | None
    ended_at: datetime

    @classmethod
    def of(cls, game: TeamGame) -> "TeamGameShown":
        """Return a game as the API shows it."""
        return cls(
            id=game.id, game=game.game, players=list(game.players), winner=game.winner, ended_at=game.ended_at
        )


class MembershipRequest(RequestBody):
    """What a player who wants to join a team writes to its leader."""

    text: RequestText = ""


class MembershipShown(BaseModel):
    """Whether a player is a member now, or has asked to become one."""

    status: Literal["member", "asked"]


class ApplicantShown(BaseModel):
    """A player who wants to join a team, or who was refused or removed."""

    username: Username
    text: Text
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

    role: Literal["leader", "officer", "member"]
