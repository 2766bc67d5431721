"""Identify the authors of messages in notifications by their accounts, since players may be renamed."""

from alembic import op

revision = "5e9a3c71d8b4"
down_revision = "0c7b2e94d15f"
branch_labels = None
depends_on = None


def upgrade() -> None:
    # A renamed author may have one for each name, and a subject has only one.
    op.execute(
        "DELETE FROM notifications older USING notifications newer "
        "WHERE older.kind = 'message' AND newer.kind = 'message' AND older.account_id = newer.account_id "
        "AND older.actor_id = newer.actor_id AND older.id < newer.id"
    )
    _make_room()
    op.execute("UPDATE notifications SET subject = actor_id::text WHERE kind = 'message'")


def downgrade() -> None:
    _make_room()
    op.execute(
        "UPDATE notifications SET subject = username FROM accounts "
        "WHERE kind = 'message' AND accounts.id = actor_id"
    )


def _make_room() -> None:
    """Give each row a subject that is neither a name nor a number: a name may be another account's number."""
    op.execute("UPDATE notifications SET subject = '#' || actor_id WHERE kind = 'message'")
