"""Programs that check answers by the descriptions go on working when later releases send more."""

import pytest

from tests.support.application import application


def members(part):
    """Yield the objects of a part of a description that it describes by their members, however deep."""
    if isinstance(part, dict):
        if "properties" in part:
            yield part
        for each in part.values():
            yield from members(each)
    elif isinstance(part, list):
        for each in part:
            yield from members(each)


def reached(document, part, names):
    """Add the names of the schemas to which a part of a description leads."""
    if isinstance(part, dict):
        name = str(part.get("$ref", "")).rpartition("/schemas/")[2]
        if name and name not in names:
            names.add(name)
            reached(document, document["components"]["schemas"][name], names)
        for each in part.values():
            reached(document, each, names)
    elif isinstance(part, list):
        for each in part:
            reached(document, each, names)


def operations(document):
    return [operation for path in document["paths"].values() for operation in path.values()]


def payloads(document, action):
    """Return the messages that a description of sockets says the server sends or receives."""
    kinds = {
        message["$ref"].rpartition("/")[2]
        for operation in document["operations"].values()
        if operation["action"] == action
        for message in operation["messages"]
    }
    return [document["components"]["messages"][kind]["payload"] for kind in kinds]


def openapi():
    """Return the description of HTTP, with what it says that the server takes, and what it sends."""
    document = application().openapi()
    bodies = [operation.get("requestBody", {}) for operation in operations(document)]
    answers = [operation["responses"] for operation in operations(document)]
    return document, bodies, answers


def asyncapi():
    """Return the same of sockets."""
    document = application().state.asyncapi()
    return document, payloads(document, "receive"), payloads(document, "send")


@pytest.mark.parametrize("described", [openapi, asyncapi])
def test_what_is_sent_may_have_more_members_and_what_is_taken_may_not(described):
    document, taken, sent = described()
    names_taken, names_sent = set(), set()
    reached(document, taken, names_taken)
    reached(document, sent, names_sent)
    schemas = document["components"]["schemas"]
    only_sent = [schemas[name] for name in names_sent - names_taken]
    assert only_sent
    assert not [part for part in members(only_sent) if part.get("additionalProperties") is False]
    open_bodies = [
        part["title"]
        for part in members([schemas[name] for name in names_taken])
        if part.get("additionalProperties") is not False
    ]
    assert open_bodies == []
