"""The preferences of an account: how pages look, sound and behave."""

from collections.abc import Mapping
from dataclasses import dataclass

from app.core.i18n.languages import LANGUAGES
from app.core.i18n.text import Text, _, pgettext


@dataclass(frozen=True, slots=True)
class Preference:
    """One preference: the value of accounts that have chosen none, and a label for each of its values."""

    name: str
    label: Text
    default: str
    choices: Mapping[str, str]


PREFERENCES = (
    Preference("language", _("Language"), "auto", {"auto": _("Match browser"), **LANGUAGES}),
    Preference(
        "theme", _("Colours"), "system", {"system": _("Match system"), "light": _("Light"), "dark": _("Dark")}
    ),
    Preference(
        "board",
        _("Board"),
        "wood",
        {"wood": _("Wood"), "slate": _("Slate"), "felt": _("Felt"), "contrast": _("High contrast")},
    ),
    Preference(
        "marks",
        _("Marks on squares where you may play"),
        "dot",
        {"dot": _("Dots"), "cross": _("Crosses"), "none": _("None")},
    ),
    Preference(
        "coordinates",
        _("Coordinates on the board"),
        "on",
        {"on": _("Shown"), "off": _("Hidden: larger squares")},
    ),
    Preference("sounds", _("Sounds"), "off", {"off": _("Off"), "on": _("On")}),
    Preference("volume", _("Volume"), "medium", {"low": _("Low"), "medium": _("Medium"), "high": _("High")}),
    Preference("vibration", _("Vibration at each move, on phones"), "off", {"off": _("Off"), "on": _("On")}),
    Preference(
        "premoves",
        _("Premoves: choose moves while your opponent thinks"),
        "on",
        {"on": _("On"), "off": _("Off")},
    ),
    Preference("chat", _("Chat in games"), "on", {"on": _("On"), "off": _("Off")}),
    Preference(
        "messages",
        _("Messages from"),
        "everybody",
        {
            "everybody": _("Everybody except players you block"),
            "following": pgettext("messages from", "Players you follow"),
            "nobody": _("Nobody"),
        },
    ),
    Preference("online", _("Others see that you are online"), "on", {"on": _("Yes"), "off": _("No")}),
    Preference("resigning", _("The computer resigns lost games"), "on", {"on": _("Yes"), "off": _("No")}),
    Preference(
        "confirm",
        _("Confirm each move"),
        "auto",
        {"auto": _("Only for taps on small squares"), "always": _("Always"), "never": _("Never")},
    ),
)


def chosen(preferences: Mapping[str, str]) -> dict[str, str]:
    """Return the value of every preference: the default if none is set, or one that is no longer offered."""
    return {
        preference.name: preferences[preference.name]
        if preferences.get(preference.name) in preference.choices
        else preference.default
        for preference in PREFERENCES
    }
