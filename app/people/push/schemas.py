"""Devices in the JSON API, and what their page sends."""

from datetime import datetime
from typing import Annotated

from pydantic import BaseModel, Field, Json

from app.core.web.bodies import RequestBody
from app.core.web.shown import Shown, example
from app.people.push.service import PushSubscription


class DeviceKeys(RequestBody):
    """The keys with which messages to a device are encrypted, in base64url."""

    p256dh: Annotated[
        str,
        Field(
            max_length=100,
            examples=[
                "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"
            ],
        ),
    ]
    auth: Annotated[str, Field(max_length=32, examples=["BTBZMqHH6r4Tts7J_aSIgg"])]


class DeviceRequest(RequestBody):
    """A subscription as browsers give it (`PushSubscription.toJSON()`); when it expires does not matter."""

    endpoint: Annotated[str, Field(max_length=1_000, examples=["https://push.example.net/wpush/v2/4f1c"])]
    keys: DeviceKeys
    expires_at: Annotated[float | None, Field(alias="expirationTime")] = None

    @property
    def subscription(self) -> PushSubscription:
        """Return the subscription."""
        return PushSubscription(self.endpoint, self.keys.p256dh, self.keys.auth)


class DeviceShown(Shown):
    """A device that gets notifications."""

    id: int
    name: Annotated[str, example("Firefox on Linux")]
    since: datetime


class Devices(BaseModel):
    """The devices of an account, and the server's public key, with which a device subscribes (VAPID)."""

    public_key: Annotated[
        str,
        example("BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"),
    ]
    devices: list[DeviceShown]


class DeviceForm(BaseModel):
    """A subscription of this browser, as JSON."""

    subscription: Json[DeviceRequest]
