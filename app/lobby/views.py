"""Plain values that the templates of the lobby draw."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from engine.clock import DAYS
from engine.game import Game

Choices = Sequence[tuple[str, str]]
"""Options of a select or radio buttons: value and text."""
FilterField = tuple[str, str, Choices, str]
"""A select among filters: name, label, choices, the value that is chosen."""


@dataclass(frozen=True, slots=True)
class ChallengeView:
    """One challenge as one viewer sees it."""

    id: str
    game: str  # registry key
    title: str  # "JadeJack"
    board: str  # "9×9"
    maker: str
    maker_is_guest: bool
    maker_rating: str  # "1512", "1500?"; "" for a guest
    maker_is_online: bool
    opponent: str | None  # the username of a direct challenge's opponent
    kind: str  # "open", "direct" or "link"
    side: str  # the side that the viewer would play: "black", "white" or "random"
    clock_kind: str  # "realtime", "correspondence" or "none"
    control: str  # "5+5", "3 days a move", "no clock"
    rated: bool
    rating_range: str  # "1400 to 1600", or ""
    is_rematch: bool
    status: str  # "open", "accepted", "declined", "cancelled", "expired"
    decline_reason: str | None  # in words
    game_id: str | None
    created_at: datetime
    is_mine: bool
    obstacle: str | None  # why the viewer cannot accept it
    is_for_viewer: bool  # a direct challenge to the viewer

    @property
    def may_accept(self) -> bool:
        """Return whether the viewer may accept it."""
        return self.status == "open" and self.obstacle is None

    @property
    def rated_text(self) -> str:
        """Return "rated" or "casual"."""
        return "rated" if self.rated else "casual"

    @property
    def maker_text(self) -> str:
        """Return who made it, as a list names them: "You", "wren"."""
        return "You" if self.is_mine else self.maker

    @property
    def maker_mark(self) -> str:
        """Return the maker's rating or "guest"; "" if the maker is the viewer."""
        if self.is_mine:
            return ""
        return "guest" if self.maker_is_guest else self.maker_rating

    @property
    def verb(self) -> str:
        """Return what the maker does to the opponent of a direct challenge; "" for any other."""
        if not self.opponent:
            return ""
        if self.is_mine:
            return "challenged"
        return "offers a rematch to" if self.is_rematch else "challenges"

    @property
    def opponent_text(self) -> str:
        """Return the opponent of a direct challenge, as a list names them: "you", "robin"."""
        return (self.opponent or "") if self.is_mine else "you"

    @property
    def side_label(self) -> str:
        """Return "You play" or "You would play"."""
        return "You play" if self.is_mine else "You would play"

    @property
    def side_text(self) -> str:
        """Return which side the viewer gets: "random sides", "you would play Black"."""
        if self.side == "random":
            return "random sides"
        return f"{self.side_label.replace('You', 'you')} {self.side.capitalize()}"

    @property
    def refusal(self) -> str | None:
        """Return why the viewer cannot accept another's challenge."""
        return None if self.is_mine else self.obstacle

    @property
    def headline(self) -> str:
        """Return the heading of the challenge's page: "Your challenge to robin", "wren challenges you"."""
        if self.is_mine:
            return f"Your challenge to {self.opponent}" if self.opponent else "Your challenge"
        return (
            f"{self.maker} challenges {'you' if self.is_for_viewer or not self.opponent else self.opponent}"
        )

    @property
    def page_title(self) -> str:
        """Return the title of the challenge's page."""
        return "Your challenge" if self.is_mine else f"A challenge from {self.maker}"

    @property
    def waiting_text(self) -> str:
        """Return what its maker waits for while it is open."""
        if self.kind == "link":
            start = "The first to open it and accept plays against you."
        elif self.kind == "direct":
            start = f"{self.opponent} will see it in the lobby."
        else:
            start = "It is listed in the lobby."
        return f"{start} Keep this page open: it takes you to the game."

    @property
    def end_text(self) -> str:
        """Return how a challenge ended that did not lead to a game."""
        answer = f" {self.opponent} says: “{self.decline_reason}”" if self.decline_reason else ""
        return {
            "accepted": "It was accepted.",
            "declined": f"It was declined.{answer}",
            "expired": "It has expired: nobody accepted in time, or its maker has left.",
        }.get(self.status, "It was cancelled.")


@dataclass(frozen=True, slots=True)
class ChallengeFormView:
    """The choices in the form for a challenge at one game, as pairs of value and text."""

    rules: Game[Any]
    options: Sequence[tuple[str, str, Choices]]  # name, label, choices of each option of the game
    limits_rating: bool  # whether a range of ratings is entered or invalid

    clocks: Choices = (("none", "No clock"), ("realtime", "Real time"), ("correspondence", "Days a move"))
    days: Choices = tuple((str(days), str(days)) for days in DAYS)
    stakes: Choices = (("", "Casual"), ("yes", "Rated"))
    opponents: Choices = (
        ("open", "Whoever comes first"),
        ("username", "A specific player"),
        ("link", "Whoever has the link"),
    )

    @property
    def sides(self) -> tuple[str, ...]:
        """Return the sides that its maker may choose, random first."""
        return ("random", *self.rules.sides)


_FILTERS: Sequence[tuple[str, str, Choices]] = (
    (
        "clock",
        "Clock",
        (
            ("", "Any clock"),
            ("realtime", "Real time"),
            ("correspondence", "Correspondence"),
            ("none", "No clock"),
        ),
    ),
    ("rated", "Rated", (("", "Rated or casual"), ("yes", "Rated"), ("no", "Casual"))),
    ("reach", "Within reach", (("", "Everybody's"), ("yes", "That I can accept"))),
)


def filter_fields(games: Mapping[str, Game[Any]], wanted: Mapping[str, str]) -> list[FilterField]:
    """Return the selects that filter the list of open challenges, with the choice in each."""
    games_offered = (("", "All games"), *((key, rules.title) for key, rules in games.items()))
    fields = (("game", "Game", games_offered), *_FILTERS)
    return [(name, label, choices, wanted[name]) for name, label, choices in fields]
