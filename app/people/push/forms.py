"""What the page of devices sends."""

from pydantic import BaseModel, Json

from app.people.push.schemas import DeviceRequest


class DeviceForm(BaseModel):
    """A subscription of this browser, as JSON."""

    subscription: Json[DeviceRequest]
