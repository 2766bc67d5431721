"""Devices for programs."""

from fastapi import APIRouter, Request

from app.core.i18n.languages import SOURCE
from app.core.web.deps import Part
from app.core.web.problems import problems
from app.people.identity.clients import browser_name
from app.people.identity.throttled import SteppingProgram
from app.people.identity.viewer import KnownProgram
from app.people.push.schemas import DeviceRequest, Devices, DeviceShown
from app.people.push.service import Push

router = APIRouter(prefix="/api/v1", tags=["accounts"])


@router.get("/me/devices", responses=problems(401))
async def devices(program: KnownProgram, push: Part[Push]) -> Devices:
    """Return the devices that get your notifications by Web Push, and the server's public key."""
    return Devices(public_key=(await push.key()).public, devices=await push.devices(program))


@router.post("/me/devices", status_code=201, responses=problems(401, 403, 409, 429))
async def add_device(
    request: Request, body: DeviceRequest, program: SteppingProgram, push: Part[Push]
) -> DeviceShown:
    """Send your notifications to a device as well, until the token ends."""
    name = browser_name(request.headers.get("user-agent", ""))
    device = await push.add(program, body.subscription, name=name, language=SOURCE)
    return DeviceShown.model_validate(device)


@router.delete("/me/devices/{device_id:serial}", status_code=204, responses=problems(401, 403, 404, 429))
async def remove_device(device_id: int, program: SteppingProgram, push: Part[Push]) -> None:
    """Send no more notifications to a device."""
    await push.remove(program, device_id)
