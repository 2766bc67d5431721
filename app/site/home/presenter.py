"""What the home page shows and keeps up to date: the viewer's games, and the players whom they follow."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from markupsafe import Markup

from app.core.i18n.text import Text
from app.core.web.render import fragment
from app.learn.lessons.courses import COURSES
from app.play.games.presenter.cards import GamesToGoOn
from app.play.lobby.challenges import LobbyOverview


class GameShown(NamedTuple):
    """A game of the site, and how its course introduces it."""

    game: str
    title: str
    summary: Text


GAMES_SHOWN: Sequence[GameShown] = tuple(
    GameShown(course.game, course.title, course.summary) for course in COURSES.values()
)


@dataclass(frozen=True, slots=True)
class LiveHome:
    """The live parts of the home page as HTML."""

    my_games: Markup
    friends: Markup

    @property
    def update(self) -> str:
        """Return what brings a page up to date."""
        return fragment("partials/home_update.html", home=self)


def live_home(overview: LobbyOverview, to_go_on: GamesToGoOn) -> LiveHome:
    """Return the live parts of the home page, given the games that the viewer may go on with."""
    my_games = fragment("partials/my_games.html", to_go_on=to_go_on)
    friends = fragment("partials/friends.html", friends=overview.friends)
    return LiveHome(Markup(my_games), Markup(friends))  # noqa: S704 - escaped templates
