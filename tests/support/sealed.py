"""Sealed record files to commit to."""

import itertools

from engine.golden_nugget import sealing
from tests.support.nugget import text_of

_salts = itertools.count(1)


def sealed(boards):
    """Return a record file of some boards with a salt that no earlier one has."""
    return sealing.salted(text_of(boards).encode(), next(_salts).to_bytes(sealing.SALT_BYTES, "big"))


def commit(program, file, **terms):
    """Commit to a file, and return the commitment as the API shows it."""
    answer = program.http.post("/nugget/commitments", json={"sha256": sealing.hash_of(file), **terms})
    assert answer.status_code == 201, answer.text
    return answer.json()


def reveal(program, commitment, file):
    """Return the answer to a file that is to reveal a commitment."""
    headers = {"Content-Type": "text/plain"}
    return program.http.post(f"/nugget/commitments/{commitment['id']}/reveal", content=file, headers=headers)
