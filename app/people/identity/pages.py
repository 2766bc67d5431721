"""Routers of pages, which show who is signed in, and whose forms give the commands of the API."""

import inspect
from collections.abc import Awaitable, Callable, Sequence
from functools import wraps
from typing import Annotated, Any
from urllib.parse import quote

from fastapi import Depends, params
from pydantic import BaseModel
from starlette.responses import Response

from app.core.parts import parts_of
from app.core.web import current
from app.core.web.addresses import page_of
from app.core.web.deps import part_of
from app.core.web.forms import SubmissionDep
from app.core.web.redirects import go
from app.core.web.routes import Router
from app.core.web.throttle import Throttle
from app.people.identity import throttled, viewer

_SIGNED_IN = {
    viewer.KnownProgram: viewer.SignedIn,
    viewer.PlayingProgram: viewer.SignedIn,
    throttled.SteppingProgram: throttled.Stepping,
    throttled.ChallengingProgram: throttled.Challenging,
    throttled.ReviewingProgram: throttled.Reviewing,
}
"""Those who give commands on pages, by those who give them in the API, with the same limits."""


class PageRouter(Router):
    """A router for pages, whose forms may give commands of the API.

    A page of a player that is asked for by a former name redirects to that of the present one.
    """

    def add_api_route(self, path: str, endpoint: Callable[..., Any], **options: Any) -> None:
        """Add a route with a handler."""
        if "{username}" in path:
            options["dependencies"] = [Depends(viewer.present_name), *(options.get("dependencies") or ())]
        super().add_api_route(path, _with_known(endpoint), **options)

    def form(
        self,
        path: str,
        command: Callable[..., Awaitable[Any]],
        *,
        then: str | None = None,
        answer: Callable[[str], Response] = go,
    ) -> None:
        """Add a route for a form that gives a command of the API, `command`, which is a handler of `api`.

        The handler gets the viewer in place of the program, and a body that is made of the form's fields. The
        answer leads to `then`, which may name arguments of the handler and members of its `result`, as in
        `/teams/{team_id}`; without it, back to the page with the form.
        """

        @wraps(command)
        async def give(**arguments: Any) -> Response:
            result = await command(**arguments)
            if then is None:
                return answer(page_of(current.connection()))
            texts = {name: quote(value) for name, value in arguments.items() if isinstance(value, str)}
            return answer(then.format(result=result, **texts))

        signature = inspect.signature(command)
        # The body comes last: visitors are refused before it is read.
        ordered = sorted(signature.parameters.values(), key=lambda each: _body_of(each) is not None)
        taken = [each.replace(annotation=_on_page(each)) for each in ordered]
        give.__signature__ = signature.replace(parameters=taken)  # type: ignore[attr-defined]
        self.add_api_route(path, give, methods=["POST"], response_model=None)


def page_router(dependencies: Sequence[params.Depends] = ()) -> PageRouter:
    """Return a router for pages: each of its routes looks up the viewer first."""
    return PageRouter(include_in_schema=False, dependencies=[Depends(viewer.current_viewer), *dependencies])


def _with_known(handler: Callable[..., Any]) -> Callable[..., Any]:
    """Return a handler that gets its parts, and the viewer whom its router has looked up, without FastAPI.

    FastAPI calls 40 functions for each of them. The throttle stays its own, by which routes say that they
    refuse requests.
    """
    signature = inspect.signature(handler)
    parameters = signature.parameters.values()
    kinds = {each.name: part_of(each.annotation) for each in parameters}
    parts = {name: kind for name, kind in kinds.items() if kind not in (None, Throttle)}
    viewers = [each.name for each in parameters if each.annotation == viewer.Viewer]

    @wraps(handler)
    async def handle(**arguments: Any) -> Any:
        connection = current.connection()
        known = parts_of(connection)
        for name, kind in parts.items():
            arguments[name] = known.get(kind)
        for name in viewers:
            arguments[name] = connection.state.viewer
        return await handler(**arguments)

    left = [each for each in parameters if each.name not in {*parts, *viewers}]
    handle.__signature__ = signature.replace(parameters=left)  # type: ignore[attr-defined]
    return handle


def _body_of(parameter: inspect.Parameter) -> type[BaseModel] | None:
    """Return the model of a parameter that is the body, also of one that may be left out, or None."""
    model: Any = parameter.annotation
    if any(isinstance(each, params.Body) for each in getattr(model, "__metadata__", ())):
        model = model.__origin__
    return model if isinstance(model, type) and issubclass(model, BaseModel) else None


def _on_page(parameter: inspect.Parameter) -> Any:
    """Return the annotation of what takes the place of a parameter of the API's handler."""
    model = _body_of(parameter)
    if model is None:
        return _SIGNED_IN.get(parameter.annotation, parameter.annotation)

    async def fields(submission: SubmissionDep) -> Any:
        return submission.parse(model)

    return Annotated[Any, Depends(fields)]
