"""Routers of pages, which show who is signed in."""

from collections.abc import Sequence

from fastapi import APIRouter, Depends, params

from app.people.identity.viewer import current_viewer, present_name


def page_router(dependencies: Sequence[params.Depends] = ()) -> APIRouter:
    """Return a router for pages: each of its routes looks up the viewer first.

    A page of a player that is asked for by a former name redirects to that of the present one.
    """
    first = [Depends(current_viewer), Depends(present_name)]
    return APIRouter(include_in_schema=False, dependencies=[*first, *dependencies])
