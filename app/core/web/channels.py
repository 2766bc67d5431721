"""The AsyncAPI description of sockets and streams, which the OpenAPI cannot describe."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from pydantic import TypeAdapter

from app.core.web.descriptions import add_examples, open_sent

_WHAT = {"send": "sends", "receive": "takes"}
_SCHEMA = "#/components/schemas/{model}"


@dataclass(frozen=True)
class MessageChannel:
    """A websocket (`ws`) or a stream of lines (`http`): its address, and the messages of both directions.

    Messages are typed dictionaries or models with a member `type`.
    """

    name: str
    address: str
    protocol: str
    description: str
    sent: tuple[type, ...]
    received: tuple[type, ...] = ()


def servers(site_url: str) -> dict[str, Any]:
    """Return the member `servers` of the description, for a site."""
    return {
        protocol: {"host": site_url.partition("://")[2], "protocol": protocol + site_url[4:5].strip(":")}
        for protocol in ("http", "ws")
    }


def asyncapi(info: dict[str, Any], channels: Iterable[MessageChannel]) -> dict[str, Any]:
    """Return the AsyncAPI 3 description of channels, from the server's point of view, without `servers`."""
    channels = tuple(channels)
    messages = {kind.__name__: kind for channel in channels for kind in (*channel.sent, *channel.received)}
    inputs: Any = [(name, "validation", TypeAdapter(kind)) for name, kind in messages.items()]
    _, schemas = TypeAdapter.json_schemas(inputs, ref_template=_SCHEMA)
    add_examples(schemas["$defs"])
    open_sent(
        schemas["$defs"],
        (_reference("schemas", kind.__name__) for each in channels for kind in each.received),
    )
    return {
        "asyncapi": "3.0.0",
        "info": {**info, "tags": [{"name": channel.name} for channel in channels]},
        "defaultContentType": "application/json",
        "channels": {channel.name: _channel(channel) for channel in channels},
        "operations": {
            f"{action}_{channel.name}": _operation(channel, action, kinds)
            for channel in channels
            for action, kinds in (("send", channel.sent), ("receive", channel.received))
            if kinds
        },
        "components": {
            "messages": {
                name: {
                    "name": name,
                    "title": name,
                    "summary": kind.__doc__,
                    "payload": _reference("schemas", name),
                }
                for name, kind in messages.items()
            },
            "schemas": _without_discriminators(schemas["$defs"]),
            "securitySchemes": {
                "HTTPBearer": {"type": "http", "scheme": "bearer", "description": "As in the OpenAPI."}
            },
        },
    }


def _channel(channel: MessageChannel) -> dict[str, Any]:
    binding = {"method": "GET"} if channel.protocol == "ws" else {}
    return {
        "address": channel.address,
        "description": channel.description,
        "parameters": {
            name: {"description": "As in the OpenAPI."} for name in re.findall(r"{(\w+)}", channel.address)
        },
        "messages": {
            kind.__name__: _reference("messages", kind.__name__)
            for kind in (*channel.sent, *channel.received)
        },
        "bindings": {channel.protocol: binding},
    }


def _operation(channel: MessageChannel, action: str, kinds: tuple[type, ...]) -> dict[str, Any]:
    place = f"#/channels/{channel.name}"
    return {
        "action": action,
        "channel": {"$ref": place},
        "description": f"What the server {_WHAT[action]} here. {channel.description}",
        "messages": [{"$ref": f"{place}/messages/{kind.__name__}"} for kind in kinds],
        "security": [_reference("securitySchemes", "HTTPBearer")],
    }


def _reference(kind: str, name: str) -> dict[str, str]:
    return {"$ref": f"#/components/{kind}/{name}"}


def _without_discriminators(part: Any) -> Any:
    """Return a part of schemas without what only the OpenAPI knows."""
    if isinstance(part, list):
        return [_without_discriminators(each) for each in part]
    if isinstance(part, dict):
        return {name: _without_discriminators(each) for name, each in part.items() if name != "discriminator"}
    return part
