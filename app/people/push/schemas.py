"""Devices in the JSON API."""

from datetime import datetime
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field

from app.core.web.bodies import RequestBody
from app.people.push.models import PushDevice
from app.people.push.service import Subscription

_KEYS: dict[str, Any] = {
    "p256dh": "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
    "auth": "BTBZMqHH6r4Tts7J_aSIgg",
}
_SUBSCRIPTION: dict[str, Any] = {"endpoint": "https://push.example.net/wpush/v2/4f1c", "keys": _KEYS}
_DEVICE: dict[str, Any] = {"id": 12, "name": "Firefox on Linux", "since": "2026-11-21T18:05:00Z"}


class DeviceKeys(RequestBody):
    """The keys with which messages to a device are encrypted, in base64url."""

    model_config = ConfigDict(json_schema_extra={"examples": [_KEYS]})

    p256dh: Annotated[str, Field(max_length=100)]
    auth: Annotated[str, Field(max_length=32)]


class DeviceRequest(RequestBody):
    """A subscription as browsers give it (`PushSubscription.toJSON()`); when it expires does not matter."""

    model_config = ConfigDict(json_schema_extra={"examples": [_SUBSCRIPTION]})

    endpoint: Annotated[str, Field(max_length=1_000)]
    keys: DeviceKeys
    expires_at: Annotated[float | None, Field(alias="expirationTime")] = None

    @property
    def subscription(self) -> Subscription:
        """Return the subscription."""
        return Subscription(self.endpoint, self.keys.p256dh, self.keys.auth)


class DeviceShown(BaseModel):
    """A device that gets notifications."""

    model_config = ConfigDict(json_schema_extra={"examples": [_DEVICE]})

    id: int
    name: str
    since: datetime

    @classmethod
    def of(cls, device: PushDevice) -> "DeviceShown":
        """Return a device as the API shows it."""
        return cls(id=device.id, name=device.name, since=device.created_at)


class Devices(BaseModel):
    """The devices of an account, and the server's public key, with which a device subscribes (VAPID)."""

    model_config = ConfigDict(
        json_schema_extra={"examples": [{"public_key": _KEYS["p256dh"], "devices": [_DEVICE]}]}
    )

    public_key: str
    devices: list[DeviceShown]
