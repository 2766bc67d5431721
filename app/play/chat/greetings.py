"""The greetings that are sent by one tap. Each reader sees them in their own language."""

from collections.abc import Mapping

from app.core.i18n.text import Text, _

GREETINGS: Mapping[str, Text] = {
    "hello": _("Hello!"),
    "good_luck": _("Good luck!"),
    "have_fun": _("Have fun!"),
    "nice_move": _("Nice move!"),
    "well_played": _("Well played!"),
    "thanks": _("Thank you!"),
    "sorry": _("Sorry!"),
    "bye": _("Bye!"),
}
