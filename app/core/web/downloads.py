"""Responses that browsers save as files."""


def attachment(name: str) -> dict[str, str]:
    """Return the headers that make a browser save the response under `name`, which is plain ASCII."""
    return {"Content-Disposition": f'attachment; filename="{name}"'}
