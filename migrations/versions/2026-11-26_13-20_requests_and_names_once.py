"""Remember requests that may be sent again, and which names look alike."""

import sqlalchemy as sa
from alembic import op

from app.core.web.look_alikes import skeleton
from app.core.web.plain_text import words

revision = "a4d7e9c1b360"
down_revision = "a7d41e9c5b20"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "idempotency_keys",
        sa.Column("digest", sa.LargeBinary(), nullable=False),
        sa.Column("request", sa.LargeBinary(), nullable=False),
        sa.Column("answer", sa.LargeBinary(), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.PrimaryKeyConstraint("digest", name=op.f("pk_idempotency_keys")),
    )
    op.create_index(op.f("ix_idempotency_keys_created_at"), "idempotency_keys", ["created_at"])
    op.add_column("teams", sa.Column("skeleton", sa.Text(), nullable=True))
    op.add_column("tournaments", sa.Column("skeleton", sa.Text(), nullable=True))
    for table, column in (("teams", "name"), ("tournaments", "name"), ("studies", "title")):
        _name_the_nameless(table, column)
    _fill()
    op.create_index(
        "uq_teams_skeleton", "teams", ["skeleton"], unique=True, postgresql_where=sa.text("closed_at IS NULL")
    )
    op.create_index(
        "ix_tournaments_skeleton",
        "tournaments",
        ["skeleton"],
        postgresql_where=sa.text("status IN ('created', 'started')"),
    )


def _name_the_nameless(name: str, column: str) -> None:
    """Replace names that nobody can see with the id, so that they can be read and clicked."""
    table = sa.table(name, sa.column("id"), sa.column(column))
    for id_, text in op.get_bind().execute(sa.select(table.c.id, table.c[column])).all():
        if text and not words(text):  # shared boards have no title
            op.execute(table.update().where(table.c.id == id_).values({column: id_}))


def _fill() -> None:
    """Set the skeletons of the names that matter; of teams that look alike, the oldest one gets it."""
    teams, tournaments = (
        sa.table(name, *map(sa.column, ("id", "name", "skeleton", "created_at", "closed_at", "status")))
        for name in ("teams", "tournaments")
    )
    taken = set()
    for table, is_open in (
        (teams, teams.c.closed_at.is_(None)),
        (tournaments, tournaments.c.status.in_(("created", "started"))),
    ):
        rows = sa.select(table.c.id, table.c.name).where(is_open).order_by(table.c.created_at, table.c.id)
        for id_, name in op.get_bind().execute(rows).all():
            look = skeleton(name)
            if table is tournaments or look not in taken:
                op.execute(table.update().where(table.c.id == id_).values(skeleton=look))
            taken.add(look)


def downgrade() -> None:
    op.drop_index("ix_tournaments_skeleton", table_name="tournaments")
    op.drop_index("uq_teams_skeleton", table_name="teams")
    op.drop_column("tournaments", "skeleton")
    op.drop_column("teams", "skeleton")
    op.drop_table("idempotency_keys")
