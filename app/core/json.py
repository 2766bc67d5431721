"""JSON as the server writes and reads it. Bodies of requests and answers that have a schema are FastAPI's."""

from typing import Any

import msgspec
from pydantic import BaseModel


def encode(value: object) -> bytes:
    """Return a value as JSON. Raise TypeError if it has no form there."""
    return _encoder.encode(value)


def decode(text: bytes | str) -> Any:
    """Return the value of a text in JSON. Raise ValueError if it is no JSON, or nested too deeply."""
    try:
        return msgspec.json.decode(text)
    except RecursionError as error:
        raise ValueError(str(error)) from error


def _known(value: object) -> object:
    """Return a value of a type that the library does not know as one that it knows."""
    if isinstance(value, str):  # a `Text`
        return str.__str__(value)
    if isinstance(value, BaseModel):
        return value.model_dump()
    raise TypeError(f"A {type(value).__name__} cannot be written as JSON.")


_encoder = msgspec.json.Encoder(enc_hook=_known)
