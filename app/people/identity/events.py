"""What is published about accounts and their sessions."""

from typing import ClassVar

from app.core.events import Event, Topic

ACCOUNTS = Topic("accounts")
"""Names or results of players changed afterwards."""


def proof_topic(proof: bytes) -> Topic:
    """Return the topic of one session or token, named by its hash."""
    return Topic(f"proof:{proof.hex()}")


class PlayersChanged(Event, frozen=True):
    """The names of accounts changed, or what games that are over did to their ratings."""

    topics: ClassVar = (ACCOUNTS,)

    accounts: tuple[int, ...]


class ProofRevoked(Event, frozen=True):
    """A session or token ended; `proof` is its hash in hexadecimal digits."""

    proof: str

    @property
    def topics(self) -> tuple[Topic, ...]:
        """Return the topic of the session or token."""
        return (proof_topic(bytes.fromhex(self.proof)),)
