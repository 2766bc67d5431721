"""What the forms of the players' pages send."""

from typing import Annotated, Literal

from pydantic import BaseModel, BeforeValidator, Field

from app.site.players.about import MOST_LINKS, About, AboutText, Country, Language, Link


class AboutForm(BaseModel):
    """What a player tells on the profile; `links` has one in each line, and an empty field is not sent."""

    text: AboutText = ""
    country: Country = ""
    language1: Language | None = None
    language2: Language | None = None
    language3: Language | None = None
    links: Annotated[
        list[Link],
        BeforeValidator(str.split),
        Field(max_length=MOST_LINKS),
    ] = []

    @property
    def about(self) -> About:
        """Return the fields as a value; a language that was chosen twice counts once."""
        chosen = filter(None, (self.language1, self.language2, self.language3))
        return About(self.text, self.country, tuple(dict.fromkeys(chosen)), tuple(self.links))


class GameFilter(BaseModel):
    """Which games a list shows, and which page of it; an empty field does not limit them."""

    game: Annotated[str, Field(max_length=32)] = ""
    rated: Literal["", "yes", "no"] = ""
    status: Literal["", "started", "finished"] = ""
    number: Annotated[int, Field(ge=1, le=1000)] = 1
