"""Notifications, the channels that carry them, and what is to be sent."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "a4c81e96d2b7"
down_revision = "d27f40c9b158"
branch_labels = None
depends_on = None

# Called by sessions and by the plain connection that writes moves, both through `app.people.inbox.service`.
_ADD_NOTIFICATIONS = """
CREATE FUNCTION add_notifications(news jsonb) RETURNS void LANGUAGE sql AS $$
DELETE FROM notifications older
USING jsonb_to_recordset(news) AS item(account_id bigint, kind text, subject text)
WHERE older.account_id = item.account_id AND older.kind = item.kind AND older.subject = item.subject;

WITH item AS (
    SELECT * FROM jsonb_to_recordset(news) AS item(
        account_id bigint, kind text, subject text, actor_id bigint, data jsonb, delays jsonb
    )
), added AS (
    INSERT INTO notifications (account_id, kind, subject, actor_id, data)
    SELECT account_id, kind, subject, actor_id, data FROM item
    ON CONFLICT (account_id, kind, subject) DO UPDATE SET actor_id = excluded.actor_id, data = excluded.data
    RETURNING id, account_id, kind, subject
)
INSERT INTO deliveries (channel, kind, account_id, notification_id, due_at)
SELECT chosen.channel, added.kind, added.account_id, added.id, now() + delay.value::float * interval '1 s'
FROM added
JOIN item USING (account_id, kind, subject)
CROSS JOIN jsonb_each_text(item.delays) AS delay
JOIN notification_channels chosen ON chosen.account_id = added.account_id AND chosen.channel = delay.key
WHERE chosen.is_active AND coalesce(chosen.switches ->> added.kind, 'on') = 'on'
ON CONFLICT (notification_id, channel) DO NOTHING
$$
"""


def upgrade() -> None:
    op.create_table(
        "notifications",
        sa.Column("id", sa.BigInteger(), sa.Identity(always=False), nullable=False),
        sa.Column("account_id", sa.BigInteger(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("subject", sa.Text(), nullable=False),
        sa.Column("actor_id", sa.BigInteger(), nullable=True),
        sa.Column(
            "data",
            postgresql.JSONB(none_as_null=True, astext_type=sa.Text()),
            server_default="{}",
            nullable=False,
        ),
        sa.Column("created_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.Column("read_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(
            ["account_id"],
            ["accounts.id"],
            name=op.f("fk_notifications_account_id_accounts"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["actor_id"],
            ["accounts.id"],
            name=op.f("fk_notifications_actor_id_accounts"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_notifications")),
        sa.UniqueConstraint(
            "account_id", "kind", "subject", name=op.f("uq_notifications_account_id_kind_subject")
        ),
    )
    op.create_index("ix_notifications_actor_id", "notifications", ["actor_id"])
    op.create_index("ix_notifications_created_at", "notifications", ["created_at"])
    op.create_index("ix_notifications_account_id_id", "notifications", ["account_id", "id"])
    op.create_table(
        "notification_channels",
        sa.Column("account_id", sa.BigInteger(), nullable=False),
        sa.Column("channel", sa.Text(), nullable=False),
        sa.Column("is_active", sa.Boolean(), server_default=sa.text("false"), nullable=False),
        sa.Column(
            "switches",
            postgresql.JSONB(none_as_null=True, astext_type=sa.Text()),
            server_default="{}",
            nullable=False,
        ),
        sa.Column("digest_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(
            ["account_id"],
            ["accounts.id"],
            name=op.f("fk_notification_channels_account_id_accounts"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("account_id", "channel", name=op.f("pk_notification_channels")),
    )
    op.create_index(
        "ix_notification_channels_digest_at",
        "notification_channels",
        ["digest_at"],
        postgresql_where=sa.text("digest_at IS NOT NULL"),
    )
    op.create_table(
        "deliveries",
        sa.Column("id", sa.BigInteger(), sa.Identity(always=False), nullable=False),
        sa.Column("channel", sa.Text(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("account_id", sa.BigInteger(), nullable=True),
        sa.Column("notification_id", sa.BigInteger(), nullable=True),
        sa.Column(
            "data",
            postgresql.JSONB(none_as_null=True, astext_type=sa.Text()),
            server_default="{}",
            nullable=False,
        ),
        sa.Column("created_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.Column("due_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.Column("attempts", sa.BigInteger(), server_default=sa.text("0"), nullable=False),
        sa.ForeignKeyConstraint(
            ["account_id"],
            ["accounts.id"],
            name=op.f("fk_deliveries_account_id_accounts"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["notification_id"],
            ["notifications.id"],
            name=op.f("fk_deliveries_notification_id_notifications"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_deliveries")),
        sa.UniqueConstraint("notification_id", "channel", name=op.f("uq_deliveries_notification_id_channel")),
    )
    op.create_index("ix_deliveries_account_id", "deliveries", ["account_id"])
    op.create_index("ix_deliveries_channel_due_at", "deliveries", ["channel", "due_at"])
    op.execute(_ADD_NOTIFICATIONS)


def downgrade() -> None:
    op.execute("DROP FUNCTION add_notifications")
    op.drop_table("deliveries")
    op.drop_table("notification_channels")
    op.drop_table("notifications")
