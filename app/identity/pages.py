"""Routers of pages, which show who is signed in."""

from collections.abc import Sequence

from fastapi import APIRouter, Depends, params

from app.identity.viewer import current_viewer


def page_router(dependencies: Sequence[params.Depends] = ()) -> APIRouter:
    """Return a router for pages: each of its routes looks up the viewer first."""
    return APIRouter(include_in_schema=False, dependencies=[Depends(current_viewer), *dependencies])
