"""What the forms of lessons send."""

from typing import Annotated

from fastapi import Depends, Form


async def _move(
    move: Annotated[str, Form(max_length=16)] = "", commands: Annotated[str, Form(max_length=16)] = ""
) -> str:
    """Return the move of a form; the buttons of Golden Nugget's board call it `commands`."""
    return (move or commands).strip()


TriedMove = Annotated[str, Depends(_move)]
