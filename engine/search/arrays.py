"""The type of the arrays that compiled kernels work on."""

from typing import Any

from numpy.typing import NDArray

Array = NDArray[Any]
