"""The type of what kernels work on."""

from typing import Any

from numpy.typing import NDArray

Array = NDArray[Any]
