"""The page of the devices that get notifications. Only the browser's own switch needs scripts."""

import hashlib

from starlette.responses import PlainTextResponse, RedirectResponse, Response

from app.core.i18n.languages import current
from app.core.web.deps import Part
from app.core.web.forms import SubmissionDep
from app.core.web.render import page
from app.people.identity.clients import browser_text
from app.people.identity.pages import page_router
from app.people.identity.throttled import Stepping
from app.people.identity.viewer import ClientDep, SignedIn
from app.people.push import api
from app.people.push.service import Push

router = page_router()


@router.get("/notifications/devices")
async def devices_page(viewer: SignedIn, push: Part[Push]) -> Response:
    """Show the viewer's devices that get notifications."""
    devices = [
        (device, browser_text(device.name), _mark(device.endpoint))
        for device in await push.devices(viewer.id)
    ]
    key = (await push.key()).public
    return page("pages/devices.html", devices=devices, public_key=key)


@router.get("/notifications/devices/key")
async def public_key(push: Part[Push]) -> Response:
    """Return the server's public key, with which the service worker subscribes again."""
    return PlainTextResponse((await push.key()).public)


@router.post("/notifications/devices")
async def add(viewer: Stepping, push: Part[Push], client: ClientDep, submission: SubmissionDep) -> Response:
    """Send the viewer's notifications to this browser, also at a new address, until its session ends."""
    form = submission.parse(api.DeviceForm)
    await push.set_browser(viewer, form.subscription.subscription, name=client.browser, language=current())
    return RedirectResponse("/notifications/devices", 303)


def _mark(endpoint: str) -> str:
    """Return what tells a browser which device it is itself, without the address at its push service."""
    return hashlib.sha256(endpoint.encode()).hexdigest()


router.form(
    "/notifications/devices/{device_id:serial}/remove", api.remove_device, then="/notifications/devices"
)
