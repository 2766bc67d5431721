"""The descriptions of the API as text, and storing them: `python -m tests.support.descriptions`."""

import json

from app.core.settings import ROOT
from app.core.web.channels import servers
from tests.support.application import application

FOLDER = ROOT / "tests" / "app" / "server"


def descriptions():
    """Return the texts of the descriptions by the names of their files."""
    app = application()
    asyncapi = app.state.asyncapi() | {"servers": servers("https://play.example")}
    documents = {"openapi.json": app.openapi(), "asyncapi.json": asyncapi}
    return {name: text_of(document) + "\n" for name, document in documents.items()}


def text_of(part, depth=3):
    """Return JSON with sorted members, and a line for each member of the upper levels, such as a schema."""
    if depth == 0 or not isinstance(part, dict):
        return json.dumps(part, ensure_ascii=False, sort_keys=True)
    members = (f"{json.dumps(name)}: {text_of(part[name], depth - 1)}" for name in sorted(part))
    return "{\n" + ",\n".join(members) + "\n}"


def closed(document):
    """Return a description in which no object but a problem has members that it does not name.

    Those of releases are open, since later ones may send more; this one sends only what it describes.
    """
    schemas = {name: _closed(schema) for name, schema in document["components"]["schemas"].items()}
    return document | {"components": document["components"] | {"schemas": schemas}}


def _closed(schema):
    members = schema.get("properties")
    if members is None or "code" in members:  # the code of a problem says which other members it has
        return schema
    return {"additionalProperties": False} | schema


if __name__ == "__main__":
    for name, text in descriptions().items():
        (FOLDER / name).write_text(text, encoding="utf-8")
