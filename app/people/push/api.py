"""Devices for programs."""

from datetime import datetime
from typing import Annotated

from fastapi import Request
from pydantic import BaseModel, Field, Json

from app.core.i18n.languages import SOURCE
from app.core.web.bodies import RequestBody
from app.core.web.deps import Part
from app.core.web.problems import problems
from app.core.web.routes import Router
from app.core.web.shown import Shown, example
from app.people.identity.clients import browser_name
from app.people.identity.throttled import SteppingProgram
from app.people.identity.viewer import KnownProgram
from app.people.push.service import Push, PushSubscription


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


router = Router(prefix="/api/v1", tags=["accounts"])


@router.get("/me/devices")
async def devices(program: KnownProgram, push: Part[Push]) -> Devices:
    """Return the devices that get your notifications by Web Push, and the server's public key."""
    return Devices(public_key=(await push.key()).public, devices=await push.devices(program.id))


@router.post("/me/devices", status_code=201, responses=problems(409))
async def add_device(
    request: Request, body: DeviceRequest, program: SteppingProgram, push: Part[Push]
) -> DeviceShown:
    """Send your notifications to a device as well, until the token ends."""
    name = browser_name(request.headers.get("user-agent", ""))
    device = await push.add(program, body.subscription, name=name, language=SOURCE)
    return DeviceShown.model_validate(device)


@router.delete("/me/devices/{device_id:serial}", status_code=204)
async def remove_device(device_id: int, program: SteppingProgram, push: Part[Push]) -> None:
    """Send no more notifications to a device."""
    await push.remove(program, device_id)
