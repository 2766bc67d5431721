"""The preferences of an account: how pages look, sound and behave."""

from collections.abc import Mapping
from dataclasses import dataclass

from app.errors import InvalidError


@dataclass(frozen=True, slots=True)
class Preference:
    """One preference: its name, its label, and a label for each of its values. The first is the default."""

    name: str
    label: str
    choices: Mapping[str, str]

    @property
    def default(self) -> str:
        """Return the value for accounts that have chosen none."""
        return next(iter(self.choices))


PREFERENCES = (
    Preference("theme", "Colours", {"system": "Match system", "light": "Light", "dark": "Dark"}),
    Preference("coordinates", "Coordinates on the board", {"on": "Shown", "off": "Hidden"}),
    Preference("sounds", "Sounds", {"off": "Off", "on": "On"}),
    Preference(
        "confirm",
        "Confirm each move",
        {"auto": "On touch screens with small boards", "always": "Always", "never": "Never"},
    ),
)


def chosen(preferences: Mapping[str, str]) -> dict[str, str]:
    """Return the value of every preference, with defaults for those that are not set."""
    return {
        preference.name: preferences.get(preference.name, preference.default) for preference in PREFERENCES
    }


def check(values: Mapping[str, str]) -> dict[str, str]:
    """Return those of the values that are preferences. Raise InvalidError `bad_preference`."""
    known = {preference.name: preference for preference in PREFERENCES if preference.name in values}
    for name, preference in known.items():
        if values[name] not in preference.choices:
            raise InvalidError("bad_preference", f"{name} is one of {', '.join(preference.choices)}.")
    return {name: values[name] for name in known}
