"""Accounts and tokens as the JSON API takes and gives them."""

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field


class Credentials(BaseModel):
    """A name and a password."""

    model_config = ConfigDict(
        extra="forbid",
        json_schema_extra={"examples": [{"username": "wren", "password": "a long pass phrase"}]},
    )

    username: Annotated[str, Field(max_length=64)]
    password: Annotated[str, Field(max_length=256)]


class TokenRequest(Credentials):
    """A name and a password, and what the new token is for."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {"username": "wren", "password": "a long pass phrase", "name": "my bot", "scopes": ["play"]}
            ]
        }
    )

    name: Annotated[str, Field(max_length=64, pattern=r"^[^\x00]*$")] = "token"
    scopes: Annotated[list[Literal["play", "read"]], Field(max_length=8)] = ["play"]
    expires_in_days: Annotated[int, Field(ge=1, le=3650)] | None = None


class NewAccount(BaseModel):
    """A new account and its first token."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"username": "wren", "token": "Jz0f…"}]})

    username: str
    token: str


class NewToken(BaseModel):
    """A new token; it is shown this once."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"token": "Jz0f…"}]})

    token: str
