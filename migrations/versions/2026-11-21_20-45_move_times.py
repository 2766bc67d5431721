"""Store the winner of a game as a seat, and how long each side thought about its move."""

import sqlalchemy as sa
from alembic import op

revision = "b3f0a6c2d914"
down_revision = "c97eb7400b10"
branch_labels = None
depends_on = None

_SEATS = """
UPDATE games SET winner_seat = CASE WHEN winner IN ('white', 'second') THEN 1 ELSE 0 END
WHERE winner IS NOT NULL
"""
_SIDES = """
UPDATE games SET winner = CASE game
    WHEN 'jadejack' THEN (ARRAY['black', 'white'])[winner_seat + 1]
    ELSE (ARRAY['first', 'second'])[winner_seat + 1] END
WHERE winner_seat IS NOT NULL
"""


def upgrade() -> None:
    op.add_column("games", sa.Column("winner_seat", sa.SmallInteger(), nullable=True))
    op.execute(_SEATS)
    op.drop_column("games", "winner")
    op.add_column("moves", sa.Column("spent", sa.BigInteger(), nullable=True))


def downgrade() -> None:
    op.drop_column("moves", "spent")
    op.add_column("games", sa.Column("winner", sa.Text(), nullable=True))
    op.execute(_SIDES)
    op.drop_column("games", "winner_seat")
