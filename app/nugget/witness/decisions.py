"""What a head says that a server publishes, next to those that were seen of it before."""

from collections.abc import Iterable, Iterator, Mapping
from enum import StrEnum

from app.nugget.heads.signing import HeadShown, problem_of


class Conflict(StrEnum):
    """How a head contradicts what was seen before."""

    OTHER_KEY = "other_key"
    """None of the keys that the server had first has the name of the one that signed it."""

    BAD_SIGNATURE = "bad_signature"
    """Its key has not signed it."""

    OTHER_HASH = "other_hash"
    """A head of the same number of links had another hash."""

    SHORTER = "shorter"
    """It is the longest one that is published now, and there was a longer one."""


PROOFS = frozenset((Conflict.OTHER_HASH, Conflict.SHORTER))
"""The conflicts of heads that the server's first keys have signed; anybody could make the others."""


def judge(
    published: Iterable[HeadShown], keys: Mapping[str, bytes], seen: Mapping[int, HeadShown]
) -> Iterator[tuple[HeadShown, Conflict | None]]:
    """Yield what the heads that a server publishes add to those seen before, each with its conflict, if any.

    `keys` are the server's first ones by their names. `seen` has heads without a conflict by their numbers of
    links: the longest one, and those of the numbers that are published now. A head that was seen adds
    nothing.
    """
    known = dict(seen)
    signed = []
    for head in published:
        if head.key_id not in keys:
            yield head, Conflict.OTHER_KEY
        elif problem_of(head, keys):
            yield head, Conflict.BAD_SIGNATURE
        else:
            signed.append(head)
    last = max((head.number for head in signed), default=0)
    is_shorter = last < max(known, default=0)
    for head in sorted(signed, key=lambda head: head.number):
        same = known.get(head.number)
        if same is not None and same.hash != head.hash:
            yield head, Conflict.OTHER_HASH
        elif is_shorter and head.number == last:
            yield head, Conflict.SHORTER
        elif same is None:
            known[head.number] = head
            yield head, None
