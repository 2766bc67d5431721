"""Only the modules and templates of a game know it; the guide names what else there is."""

import re

from app.core.settings import ROOT
from engine.game import Game, SolitaireGame
from engine.registry import GAMES
from tests.project.files import SCRIPTS, SOURCES, TEMPLATES, read


def test_no_code_compares_with_the_key_of_a_game():
    keys = "|".join(GAMES)
    for path in [*SOURCES, *TEMPLATES, *SCRIPTS]:
        compared = re.search(rf"""(==|!=|\bin|\bcase)\s*[(\[{{]?\s*["'`]({keys})["'`]""", path.read_text())
        assert not compared, (path, compared)


def test_the_guide_to_adding_a_game_is_complete():
    text = read("docs", "adding-a-game.md")
    for path in re.findall(r"`((?:engine|app|templates|tests|static)/[\w/.<>]+)`", text):
        for key in GAMES:
            if (concrete := path.replace("<key>", key)).endswith((".py", ".html", ".css", ".svg")):
                assert (ROOT / concrete).is_file(), concrete
    members = {
        *("key", "title", "sides", "options", "tie_break"),
        *(name for name in vars(SolitaireGame) | vars(Game) if not name.startswith("_")),
    }
    named = set(re.findall(r"`(\w+)`", text))
    assert members - named == {"initial"}


def test_the_guide_to_adding_a_game_names_what_names_several_games():
    text = read("docs", "adding-a-game.md")
    for path in [*SOURCES, *TEMPLATES, *SCRIPTS]:
        named = [key for key in GAMES if re.search(rf"\b{key}\b", path.read_text())]
        # A game may build on another one, and schemas have examples.
        if len(named) > 1 and not any(word in path.stem for word in (*GAMES, "schemas")):
            assert f"`{path.relative_to(ROOT)}`" in text, path
