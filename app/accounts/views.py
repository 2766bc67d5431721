"""What the page of settings offers and says."""

from app.accounts.access import EXPIRIES

SAVED = {
    "password": "Password changed. You have been logged out on all other devices.",
    "preferences": "Saved.",
    "revoked": "Revoked.",
    "computer": "This account is now labelled as a computer player.",
}
"""What the page says after something was saved."""

PREFERENCES = (
    ("theme", "Colours", (("system", "Match system"), ("light", "Light"), ("dark", "Dark"))),
    ("coordinates", "Coordinates on the board", (("on", "Shown"), ("off", "Hidden"))),
    ("sounds", "Sounds", (("off", "Off"), ("on", "On"))),
    (
        "confirm",
        "Confirm each move",
        (("auto", "On touch screens with small boards"), ("always", "Always"), ("never", "Never")),
    ),
)
"""The preferences as radio buttons: name, label, pairs of value and text."""

SCOPES = (("play", "play and read"), ("read", "read only"))
"""The scopes of a token as options of a select."""

EXPIRY_CHOICES = (*((days, f"in {days} days") for days in EXPIRIES), ("", "never"))
"""The lifetimes of a token as options of a select: days and text."""
