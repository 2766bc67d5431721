"""Let the running clock of a game stand still for a time, and on weekends."""

import sqlalchemy as sa
from alembic import op

revision = "7d02c9e4b318"
down_revision = "e60d2b7f4c15"
branch_labels = None
depends_on = None

# The same as `engine.counted_time`. Monday, 5 January 1970, begins 345,600 s after the epoch.
_POSITION = """
CREATE FUNCTION counted_position(moment timestamptz, weekends_off boolean) RETURNS bigint
LANGUAGE sql IMMUTABLE AS $$
    SELECT CASE WHEN weekends_off
        THEN (ms - (ms % 604800000 + 604800000) % 604800000) / 604800000 * 432000000
            + least((ms % 604800000 + 604800000) % 604800000, 432000000)
        ELSE ms END
    FROM (SELECT (extract(epoch FROM moment) * 1000)::bigint
        - CASE WHEN weekends_off THEN 345600000 ELSE 0 END AS ms) AS milliseconds
$$
"""
_MOMENT = """
CREATE FUNCTION counted_moment(start timestamptz, place bigint, weekends_off boolean) RETURNS timestamptz
LANGUAGE sql IMMUTABLE AS $$
    SELECT CASE WHEN weekends_off
        THEN greatest(start, to_timestamp(0) + interval '1 ms'
            * (345600000 + (place - 1) / 432000000 * 604800000 + (place - 1) % 432000000 + 1))
        ELSE to_timestamp(0) + interval '1 ms' * place END
$$
"""
_BETWEEN = """
CREATE FUNCTION counted_between(
    start timestamptz, until timestamptz, weekends_off boolean, stop_from timestamptz, stop_until timestamptz
) RETURNS bigint LANGUAGE sql IMMUTABLE AS $$
    SELECT greatest(0, counted_position(until, weekends_off) - counted_position(start, weekends_off))
        - coalesce(greatest(0, counted_position(least(until, stop_until), weekends_off)
            - counted_position(greatest(start, stop_from), weekends_off)) * (stop_from < until)::int, 0)
$$
"""
_AFTER = """
CREATE FUNCTION counted_after(
    start timestamptz, milliseconds bigint, weekends_off boolean,
    stop_from timestamptz, stop_until timestamptz
) RETURNS timestamptz LANGUAGE sql IMMUTABLE AS $$
    SELECT CASE WHEN stop_from IS NULL OR straight <= stop_from OR start >= stop_until THEN straight
        ELSE counted_moment(
            start,
            counted_position(start, weekends_off) + milliseconds
                + counted_between(greatest(start, stop_from), stop_until, weekends_off, NULL, NULL),
            weekends_off) END
    FROM (SELECT counted_moment(start, counted_position(start, weekends_off) + milliseconds, weekends_off)
        AS straight) AS without_stop
$$
"""


def upgrade() -> None:
    op.add_column("games", sa.Column("stop_from", sa.DateTime(timezone=True), nullable=True))
    op.add_column("games", sa.Column("stop_until", sa.DateTime(timezone=True), nullable=True))
    for function in (_POSITION, _MOMENT, _BETWEEN, _AFTER):
        op.execute(function)


def downgrade() -> None:
    op.execute("DROP FUNCTION counted_after(timestamptz, bigint, boolean, timestamptz, timestamptz)")
    op.execute("DROP FUNCTION counted_between(timestamptz, timestamptz, boolean, timestamptz, timestamptz)")
    op.execute("DROP FUNCTION counted_moment(timestamptz, bigint, boolean)")
    op.execute("DROP FUNCTION counted_position(timestamptz, boolean)")
    op.drop_column("games", "stop_until")
    op.drop_column("games", "stop_from")
