"""What owners are notified of about their own accounts: see `notices.py`."""

from app.people.identity.audit import Change
from app.people.inbox.kinds import Kind, NewsKind, declare

declare(Kind(NewsKind.SECURITY, lambda item: Change(item.data["change"]).words, "/account/security"))
