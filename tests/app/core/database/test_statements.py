"""Statements that are made once."""

from sqlalchemy import bindparam, select
from sqlalchemy.dialects.postgresql.asyncpg import PGDialect_asyncpg

from app.core.database.statements import made_once, with_constants
from app.people.identity.models import Account

_made = []


@made_once
def _of(account_id, limit):
    _made.append(account_id)
    return select(Account.id).where(Account.id == account_id).limit(limit)


def test_a_statement_is_made_once_of_parameters():
    first, values = _of(1, limit=2)
    second, others = _of(3, 4)
    assert (first is second, len(_made)) == (True, 1)
    assert values == {"account_id": 1, "limit": 2}
    assert others == {"account_id": 3, "limit": 4}
    assert {"account_id", "limit"} <= set(first.compile(dialect=PGDialect_asyncpg()).params)


def test_constants_are_written_into_a_statement_and_values_are_not():
    given = Account.id > bindparam("least")
    named = select(Account.id).where(Account.username == "it's: 5 %", Account.is_computer.is_(False), given)
    compiled = with_constants(named.limit(3)).compile(dialect=PGDialect_asyncpg())
    assert compiled.params.keys() == {"least"}
    assert "accounts.username = 'it''s: 5 %'" in str(compiled)
    assert str(compiled).endswith("LIMIT 3")
