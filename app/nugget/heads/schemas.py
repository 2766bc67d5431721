"""The keys of the server as programs find them (RFC 7517, RFC 8037)."""

from datetime import datetime
from typing import Annotated, Self

from pydantic import BaseModel

from app.core.web.shown import example
from app.nugget.heads.service import KeyShown


class PublicKey(BaseModel):
    """A public key; `kid` is the `key_id` of what it signs."""

    kty: Annotated[str, example("OKP")] = "OKP"
    crv: Annotated[str, example("Ed25519")] = "Ed25519"
    use: Annotated[str, example("sig")] = "sig"
    kid: Annotated[str, example("630dcd2966c43366")]
    x: Annotated[str, example("11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo")]
    since: datetime


class PublicKeys(BaseModel):
    """The public keys with which signatures of this server are checked; the first one signs now."""

    keys: list[PublicKey]

    @classmethod
    def of(cls, keys: list[KeyShown]) -> Self:
        """Return the keys as programs find them."""
        return cls(keys=[PublicKey(kid=key.key_id, x=key.public, since=key.made_at) for key in keys])
