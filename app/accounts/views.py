"""What the page of settings offers and says."""

from app.accounts.forms import EXPIRIES

SAVED = {
    "password": "Password changed. You have been logged out on all other devices.",
    "preferences": "Saved.",
    "revoked": "Revoked.",
    "computer": "This account is now labelled as a computer player.",
}
"""What the page says after something was saved."""

SCOPES = (("play", "play and read"), ("read", "read only"))
"""The scopes of a token as options of a select."""

EXPIRY_CHOICES = (*((str(days), f"in {days} days") for days in EXPIRIES), ("", "never"))
"""The lifetimes of a token as options of a select: days and text."""
